//! The testkit finds what is wrong with a limiter, in the way that is meant to find it.

use ratelimit_testkit::{
    Config, Decision, Failure, Key, Kind, Limiter, Parsed, Policy, Stats, Subject, Text, Vectors, Way, World,
    drive_config, drive_text, drive_world,
};
use std::cell::{Cell, RefCell};

/// One thing that can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    CountsPeeks,
    PeekForetellsWrongly,
    BatchOfOneIsFree,
    BatchTakesOnce,
    EmptyBatchForgets,
    SecondPolicySpeaks,
    RefundGivesNothing,
    CannotBeMade,
}

/// Makes limiters that grant one permit to each key, once, and have the flaw.
struct Grantor(Flaw);

struct OnePermit {
    flaw: Flaw,
    policies: usize,
    granted: RefCell<Vec<Key>>,
    allowed: Cell<u64>,
    denied: Cell<u64>,
}

impl Subject for Grantor {
    type Limiter = OnePermit;

    fn make(&self, policies: &[Policy], _: Option<u64>) -> Result<OnePermit, Failure> {
        if self.0 == Flaw::CannotBeMade {
            return Err(Failure { code: 5, name: "policy_count".into(), field: "policies".into(), offset: None });
        }
        let (granted, allowed, denied) = Default::default();
        Ok(OnePermit { flaw: self.0, policies: policies.len(), granted, allowed, denied })
    }

    fn parse(&self, text: &str) -> Result<Parsed, Failure> {
        let offset = Some(text.len() as u64);
        match text {
            "1/s" | "fixed 1/second" => Ok(Parsed {
                policies: vec![Policy::FixedWindow { limit: 1, window_ms: 1000 }],
                canonical: "fixed 1/second".into(),
            }),
            _ => Err(Failure { code: 6, name: "policy_syntax".into(), field: "policies".into(), offset }),
        }
    }
}

impl OnePermit {
    fn decide(&self, key: &Key) -> Decision {
        let free = !self.granted.borrow().contains(key);
        Decision {
            kind: if free { Kind::Allowed } else { Kind::Denied },
            policy: u64::from(self.flaw == Flaw::SecondPolicySpeaks && self.policies == 2),
            limit: 1,
            remaining: 0,
            cost: 1,
            reset_after_ms: 1000,
            retry_after_ms: Some(if free { 0 } else { 1000 }),
            at_ms: 0,
        }
    }
}

impl Limiter for OnePermit {
    fn check(&self, key: &Key, _: u64, _: u64) -> Result<Decision, Failure> {
        let decision = self.decide(key);
        let count = if decision.kind == Kind::Allowed { &self.allowed } else { &self.denied };
        count.set(count.get() + 1);
        if decision.kind == Kind::Allowed {
            self.granted.borrow_mut().push(key.clone());
        }
        Ok(decision)
    }

    fn check_many(&self, keys: &[Key], cost: u64, now_ms: u64) -> Result<Vec<Decision>, Failure> {
        if keys.is_empty() && self.flaw == Flaw::EmptyBatchForgets {
            self.clear();
        }
        let once = self.flaw == Flaw::BatchTakesOnce && keys.len() > 1;
        let free = self.flaw == Flaw::BatchOfOneIsFree && keys.len() == 1;
        if free || once {
            return Ok(keys.iter().map(|key| self.decide(key)).collect());
        }
        keys.iter().map(|key| self.check(key, cost, now_ms)).collect()
    }

    fn peek(&self, key: &Key, _: u64, _: u64) -> Result<Decision, Failure> {
        let mut decision = self.decide(key);
        match self.flaw {
            Flaw::CountsPeeks => self.allowed.set(self.allowed.get() + 1),
            Flaw::PeekForetellsWrongly => decision.at_ms += 1,
            _ => {}
        }
        Ok(decision)
    }

    fn remaining(&self, key: &Key, _: u64) -> Result<u64, Failure> {
        Ok(u64::from(self.decide(key).kind == Kind::Allowed))
    }

    fn refund(&self, key: &Key, decision: &Decision, _: u64) -> Result<u64, Failure> {
        let back = decision.kind == Kind::Allowed && self.flaw != Flaw::RefundGivesNothing && self.reset(key);
        Ok(u64::from(back))
    }

    fn reset(&self, key: &Key) -> bool {
        let had_row = self.granted.borrow().contains(key);
        self.granted.borrow_mut().retain(|granted| granted != key);
        had_row
    }

    fn sweep(&self, _: u64) -> Result<u64, Failure> {
        Ok(0)
    }

    fn len(&self) -> u64 {
        self.granted.borrow().len() as u64
    }

    fn stats(&self) -> Stats {
        Stats { allowed: self.allowed.get(), denied: self.denied.get(), saturated: 0, exceeds_limit: 0 }
    }

    fn clear(&self) {
        self.granted.borrow_mut().clear();
    }
}

/// What a limiter of one permit does when nothing is wrong with it.
fn world() -> World {
    let decision = |kind, retry| {
        let numbers = r#""policy":0,"limit":1,"remaining":0,"cost":1,"reset_after_ms":1000"#;
        format!(r#"{{"kind":"{kind}",{numbers},"retry_after_ms":{retry},"at_ms":0}}"#)
    };
    let check = |key, kind, retry| {
        let expect = decision(kind, retry);
        format!(r#"{{"op":"check","key":{{"text":"{key}"}},"cost":1,"now_ms":0,"expect":{expect}}}"#)
    };
    let steps = [
        check("a", "allowed", 0),
        check("b", "allowed", 0),
        check("a", "denied", 1000),
        r#"{"op":"stats","expect":{"stats":{"allowed":2,"denied":1,"saturated":0,"exceeds_limit":0}}}"#.into(),
        r#"{"op":"refund","key":{"text":"a"},"of":0,"now_ms":0,"expect":{"refunded":1}}"#.into(),
        r#"{"op":"remaining","key":{"text":"a"},"now_ms":0,"expect":{"remaining":1}}"#.into(),
        r#"{"op":"len","expect":{"len":1}}"#.into(),
        check("b", "denied", 1000),
    ];
    let policies = r#"[{"algorithm":"fixed_window","limit":1,"window_ms":1000}]"#;
    let head = r#""type":"world","name":"one permit","why":"each key has one""#;
    let json = format!(r#"{{{head},"policies":{policies},"steps":[{}]}}"#, steps.join(","));
    serde_json::from_str(&json).expect("the world is written as a vector is")
}

fn ways_that_find(flaw: Flaw) -> Vec<Way> {
    Way::ALL.into_iter().filter(|way| drive_world(&Grantor(flaw), &world(), *way).is_err()).collect()
}

#[test]
fn a_limiter_without_a_flaw_passes_in_every_way() {
    assert_eq!(ways_that_find(Flaw::None), []);
}

#[test]
fn each_flaw_is_found_in_its_way() {
    assert_eq!(ways_that_find(Flaw::CountsPeeks), [Way::PeekThenCheck]);
    assert_eq!(ways_that_find(Flaw::PeekForetellsWrongly), [Way::PeekThenCheck]);
    assert_eq!(ways_that_find(Flaw::EmptyBatchForgets), [Way::BatchOfMany]);
    assert_eq!(ways_that_find(Flaw::BatchTakesOnce), [Way::BatchOfMany]);
    assert_eq!(ways_that_find(Flaw::BatchOfOneIsFree), [Way::BatchOfOne]);
    assert_eq!(ways_that_find(Flaw::SecondPolicySpeaks), [Way::Doubled]);
    assert_eq!(ways_that_find(Flaw::RefundGivesNothing), Way::ALL);
    assert_eq!(ways_that_find(Flaw::CannotBeMade), Way::ALL);
}

#[test]
fn a_difference_names_the_step_what_was_expected_and_what_came_out() {
    let difference = drive_world(&Grantor(Flaw::RefundGivesNothing), &world(), Way::Check).unwrap_err();
    for part in ["step 4: refund of", "expected Ok(1)", "got      Ok(0)"] {
        assert!(difference.contains(part), "{difference}");
    }
}

#[test]
fn configurations_and_texts_are_compared_whole() {
    let config = |expect: &str| -> Config {
        let policies = r#"[{"algorithm":"sliding_window","limit":1,"window_ms":1}]"#;
        let head = r#""type":"config","name":"one","why":"it is good""#;
        serde_json::from_str(&format!(r#"{{{head},"policies":{policies},"expect":{expect}}}"#)).unwrap()
    };
    assert_eq!(drive_config(&Grantor(Flaw::None), &config(r#"{"accepted":true}"#)), Ok(()));
    assert!(drive_config(&Grantor(Flaw::CannotBeMade), &config(r#"{"accepted":true}"#)).is_err());
    let refused = r#"{"error":{"code":5,"name":"policy_count","field":"policies"}}"#;
    assert_eq!(drive_config(&Grantor(Flaw::CannotBeMade), &config(refused)), Ok(()));
    assert!(drive_config(&Grantor(Flaw::None), &config(refused)).is_err());

    let text = |text: &str, expect: &str| -> Text {
        let head = r#""type":"text","name":"one","why":"it is good""#;
        serde_json::from_str(&format!(r#"{{{head},"text":"{text}","expect":{expect}}}"#)).unwrap()
    };
    let read = r#"{"policies":[{"algorithm":"fixed_window","limit":1,"window_ms":1000}],"canonical":"fixed 1/second"}"#;
    assert_eq!(drive_text(&Grantor(Flaw::None), &text("1/s", read)), Ok(()));
    assert!(drive_text(&Grantor(Flaw::CannotBeMade), &text("1/s", read)).is_err());
    assert!(drive_text(&Grantor(Flaw::None), &text("1/m", read)).is_err());
    let wrong =
        |offset| format!(r#"{{"error":{{"code":6,"name":"policy_syntax","field":"policies","offset":{offset}}}}}"#);
    assert_eq!(drive_text(&Grantor(Flaw::None), &text("1/m", &wrong(3))), Ok(()));
    assert!(drive_text(&Grantor(Flaw::None), &text("1/m", &wrong(2))).is_err());
}

#[test]
fn a_wrong_limiter_fails_the_vectors_and_each_failure_says_why_the_case_is_there() {
    let vectors = Vectors::load().unwrap();
    let report = vectors.drive(&Grantor(Flaw::None));
    assert!(report.failures.len() > 1000, "only {} failures", report.failures.len());
    let printed = report.to_string();
    assert!(printed.contains("01-fixed-window/counts-to-the-limit (check): A window admits its limit"), "{printed}");
}

#[test]
fn a_step_that_is_none_is_not_read() {
    let read = serde_json::from_str::<ratelimit_testkit::Step>;
    assert!(read(r#"{"op":"clear","expect":{}}"#).is_ok());
    for wrong in [
        r#"{"op":"forget","expect":{}}"#,
        r#"{"op":"len","expect":{}}"#,
        r#"{"op":"len","expect":{"len":1},"at":3}"#,
        r#"{"op":"reset","expect":{"had_row":true}}"#,
        r#"{"op":"check","key":{"text":"a"},"cost":1,"now_ms":0,"expect":{"kind":"allowed"}}"#,
        r#"{"op":"check","key":{"text":"a"},"cost":-1,"now_ms":0,"expect":{"error":{"code":1,"name":"","field":""}}}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
