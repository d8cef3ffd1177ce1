//! Points without a word on which of them make a strand, as codes that
//! reconstruct hair write them: one strand behind the other, all with as many.

use super::{Fault, Strands, content::TOO_MANY};
use crate::math::counted;

/// An edge is a leap from a tip to the next root where it is so many times as long
/// as the median edge.
const LEAP: f32 = 4.0;
/// So many of the ends of strands must be leaps, and at most so many times as many
/// leaps as there are ends may be elsewhere.
const ENDS: f32 = 0.9;
const ELSEWHERE: f32 = 0.1;
/// The most points that strands are tried with.
const MOST: usize = 4096;

/// Cuts the points into strands of `each`; with 0 into strands that are as long as
/// the leaps between points say.
pub fn cut(strands: &mut Strands, each: usize) -> Result<(), Fault> {
    let count = strands.points.len();
    if u32::try_from(count).is_err() {
        return Err(Fault::whole(TOO_MANY.into()));
    }
    let ask = "set import.points to how many each strand has (often 100)";
    let each = match each {
        0 => guess(strands).ok_or_else(|| {
            Fault::whole(format!(
                "it lists {} and does not say which of them make a strand; {ask}",
                counted(count, "point", "points")
            ))
        })?,
        told if count.is_multiple_of(told) => told,
        told => {
            return Err(Fault::whole(format!(
                "it lists {}, which make no whole strands of {told}; {ask}",
                counted(count, "point", "points")
            )));
        }
    };
    strands.starts = (0..=count).step_by(each).map(|at| at as u32).collect();
    strands.notes.push(format!(
        "it lists points alone; every {each} of them are a strand, {}",
        counted(strands.len(), "strand", "strands")
    ));
    Ok(())
}

/// How many points each strand has, where the leaps leave no doubt.
fn guess(strands: &Strands) -> Option<usize> {
    let points = &strands.points;
    let count = points.len();
    let edges: Vec<f32> = points.windows(2).map(|p| p[0].distance(p[1])).collect();
    let mut sorted = edges.clone();
    let middle = sorted.len() / 2;
    let median = match sorted.is_empty() {
        true => return None,
        false => *sorted.select_nth_unstable_by(middle, f32::total_cmp).1,
    };
    let leap = |edge: &f32| *edge > LEAP * median;
    let all = edges.iter().filter(|edge| leap(edge)).count();
    let fits = |each: &usize| {
        let ends = count / each - 1;
        let at_ends = (1..=ends).filter(|i| leap(&edges[i * each - 1])).count();
        let elsewhere = (all - at_ends) as f32;
        at_ends as f32 >= ENDS * ends as f32 && elsewhere <= ELSEWHERE * ends as f32
    };
    let tried = (3..=MOST.min(count / 2)).filter(|each| count.is_multiple_of(*each));
    let mut found = tried.filter(fits);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
