//! Puts a case to a subject and compares, step by step.

use std::fmt::Debug;

use crate::{Call, Config, Decision, Failure, Given, Limiter, Parsed, Step, Subject, Text, Way, World};

/// Runs a world in one way.
///
/// # Errors
/// The first step that went wrong: its number from 0, what was expected, and what came out.
pub fn drive_world<S: Subject>(subject: &S, world: &World, way: Way) -> Result<(), String> {
    let policies = match way {
        Way::Doubled => [world.policies.as_slice(), &world.policies].concat(),
        _ => world.policies.clone(),
    };
    let limiter = subject
        .make(&policies, world.max_identities)
        .map_err(|failure| format!("the limiter could not be made: {failure:?}"))?;
    let mut run = Run { limiter, way, answers: Vec::with_capacity(world.steps.len()) };
    while run.answers.len() < world.steps.len() {
        let at = run.answers.len();
        run.next(&world.steps[at..]).map_err(|difference| format!("step {}: {difference}", run.answers.len()))?;
    }
    Ok(())
}

/// Asks the subject for a limiter of this configuration, and for one of its policies twice where that is one policy.
///
/// # Errors
/// What was expected, and what came out.
pub fn drive_config<S: Subject>(subject: &S, config: &Config) -> Result<(), String> {
    let made = |policies: &[_]| subject.make(policies, config.max_identities).map(|_| ());
    compare("the limiter", &config.expect, &made(&config.policies))?;
    if let [policy] = config.policies.as_slice() {
        compare("the limiter of two such policies", &config.expect, &made(&[policy.clone(), policy.clone()]))?;
    }
    Ok(())
}

/// Has the subject read a text, then the canonical text of it, and make a limiter of the policies.
///
/// # Errors
/// What was expected, and what came out.
pub fn drive_text<S: Subject>(subject: &S, text: &Text) -> Result<(), String> {
    compare("the text", &text.expect, &subject.parse(&text.text))?;
    if let Ok(Parsed { policies, canonical }) = &text.expect {
        compare("its canonical text", &text.expect, &subject.parse(canonical))?;
        compare("its limiter", &Ok(()), &subject.make(policies, None).map(|_| ()))?;
    }
    Ok(())
}

fn compare<T: Debug + PartialEq>(what: &str, expected: &T, got: &T) -> Result<(), String> {
    if expected == got {
        return Ok(());
    }
    Err(format!("{what}\n    expected {expected:?}\n    got      {got:?}"))
}

/// A world under way: for each step that is done, the decision that it made, if it made one.
struct Run<L> {
    limiter: L,
    way: Way,
    answers: Vec<Option<Decision>>,
}

impl<L: Limiter> Run<L> {
    /// Does the next step, or the next few where they are one batch.
    fn next(&mut self, steps: &[Step]) -> Result<(), String> {
        match (&steps[0], self.way) {
            (Step::Check { .. }, Way::BatchOfMany) => self.batch(steps),
            (Step::Check { call, expect }, _) => self.check(call, expect),
            (Step::Peek { call, expect }, _) => {
                let got = self.limiter.peek(&call.key, call.cost, call.now_ms);
                self.decided(call, expect, got)
            }
            (step, _) => {
                self.house_keep(step)?;
                self.answers.push(None);
                Ok(())
            }
        }
    }

    fn check(&mut self, call: &Call, expect: &Result<Decision, Failure>) -> Result<(), String> {
        let Call { key, cost, now_ms } = call;
        let got = match self.way {
            Way::PeekThenCheck => {
                let before = self.limiter.stats();
                compare("the peek before a check", expect, &self.limiter.peek(key, *cost, *now_ms))?;
                compare("the stats after a peek", &before, &self.limiter.stats())?;
                self.limiter.check(key, *cost, *now_ms)
            }
            Way::BatchOfOne => {
                let batch = self.limiter.check_many(std::slice::from_ref(key), *cost, *now_ms);
                batch.and_then(|decisions| match decisions.as_slice() {
                    [decision] => Ok(*decision),
                    _ => Err(not_a_decision(format!("{} decisions for a batch of one", decisions.len()))),
                })
            }
            _ => self.limiter.check(key, *cost, *now_ms),
        };
        self.decided(call, expect, got)
    }

    fn decided(
        &mut self,
        call: &Call,
        expect: &Result<Decision, Failure>,
        got: Result<Decision, Failure>,
    ) -> Result<(), String> {
        if *expect != got {
            compare(&format!("{call:?}"), expect, &got)?;
        }
        self.answers.push(got.ok());
        Ok(())
    }

    /// Checks as many steps as can be one batch.
    fn batch(&mut self, steps: &[Step]) -> Result<(), String> {
        let mut keys = Vec::new();
        let mut expected = Vec::new();
        let mut together = None;
        for step in steps {
            let Step::Check { call, expect } = step else { break };
            if *together.get_or_insert((call.cost, call.now_ms)) != (call.cost, call.now_ms) {
                break;
            }
            keys.push(call.key.clone());
            expected.push(expect.clone());
        }
        let (cost, now_ms) = together.unwrap_or_default();
        let expected: Result<Vec<_>, Failure> = expected.into_iter().collect();
        if !matches!(&expected, Err(failure) if failure.field == "now_ms") {
            compare("an empty batch", &Ok(Vec::new()), &self.limiter.check_many(&[], 1, now_ms))?;
        }
        let got = self.limiter.check_many(&keys, cost, now_ms);
        compare(&format!("a batch of {} at {now_ms} with cost {cost}", keys.len()), &expected, &got)?;
        match got {
            Ok(decisions) => self.answers.extend(decisions.into_iter().map(Some)),
            Err(_) => self.answers.extend(keys.iter().map(|_| None)),
        }
        Ok(())
    }

    fn house_keep(&mut self, step: &Step) -> Result<(), String> {
        let limiter = &self.limiter;
        match step {
            Step::Remaining { key, now_ms, expect } => {
                compare(&format!("remaining of {key:?} at {now_ms}"), expect, &limiter.remaining(key, *now_ms))
            }
            Step::Refund { key, given, now_ms, expect } => {
                let decision = self.given(given)?;
                let got = limiter.refund(key, &decision, *now_ms);
                compare(&format!("refund of {decision:?} to {key:?} at {now_ms}"), expect, &got)
            }
            Step::Reset { key, expect } => compare(&format!("reset of {key:?}"), expect, &limiter.reset(key)),
            Step::Sweep { now_ms, expect } => compare(&format!("sweep at {now_ms}"), expect, &limiter.sweep(*now_ms)),
            Step::Len { expect } => compare("len", expect, &limiter.len()),
            Step::Stats { expect } => compare("stats", expect, &limiter.stats()),
            Step::Clear => {
                limiter.clear();
                Ok(())
            }
            Step::Check { .. } | Step::Peek { .. } => Err("a decision is no housekeeping".to_owned()),
        }
    }

    fn given(&self, given: &Given) -> Result<Decision, String> {
        match given {
            Given::Decision(decision) => Ok(*decision),
            Given::Step(step) => self
                .answers
                .get(*step)
                .copied()
                .flatten()
                .ok_or_else(|| format!("step {step} made no decision that could be given back")),
        }
    }
}

fn not_a_decision(name: String) -> Failure {
    Failure { code: 0, name, field: String::new(), offset: None }
}
