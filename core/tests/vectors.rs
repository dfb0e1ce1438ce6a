//! Every vector holds, in every way of asking.

mod subject;

use ratelimit_testkit::{Vectors, Way};
use subject::Core;

#[test]
fn every_vector_holds_in_every_way() {
    let vectors = Vectors::load().unwrap();
    let report = vectors.drive(&Core);
    println!("{report}");
    assert!(report.failures.is_empty(), "{} vectors failed, see above", report.failures.len());
    for way in Way::ALL {
        assert!(report.worlds(way) > 0, "no world was run as {}", way.name());
    }
    assert!(report.configs > 0 && report.texts > 0, "no configuration or no text was run");
    assert_eq!(report.left_out.len(), vectors.beyond_u64.len(), "something was left out without a reason");
}
