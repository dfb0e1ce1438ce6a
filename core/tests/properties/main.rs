//! What holds of every decision, whatever the policies, costs and times: judged over random worlds.

mod batches;
mod bounds;
mod logs;
mod peeks;
mod policies;
mod refunds;
mod refusals;
mod remaining;
mod retries;
mod stripes;
mod sweeps;
mod tables;
mod world;
