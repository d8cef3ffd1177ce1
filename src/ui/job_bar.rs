//! What is being done beside the window, in the corner of the messages and above them: how
//! far it is, and a button that gives it up.

use crate::{
    session::jobs::{Job, Jobs},
    ui::{command::Command, corner::MessageCorner, theme},
};
use egui::{Button, Context, Frame, Id, Label, Margin, ProgressBar, RichText, Stroke, Ui, vec2};
use std::time::Duration;

/// What is done sooner is not shown: it would only flicker.
const AT_ONCE: Duration = Duration::from_millis(300);

/// While a job goes on, the bar is drawn so often.
const EVERY: Duration = Duration::from_millis(100);

/// Beside what a box shows. `[points]`
const MARGIN: f32 = 10.0;

/// Shows the jobs that take long; the oldest lies highest.
pub fn show<T: Send + 'static>(
    ctx: &Context,
    corner: &mut MessageCorner,
    jobs: &Jobs<T>,
    commands: &mut Vec<Command>,
) {
    for job in jobs.list() {
        if let Some(wait) = AT_ONCE.checked_sub(job.age()) {
            ctx.request_repaint_after(wait + Duration::from_millis(1));
            continue;
        }
        ctx.request_repaint_after(EVERY);
        let width = corner.width() - 2.0 * (MARGIN + 1.0);
        let id = Id::unique(("job", job.number));
        corner.put(ctx, id, |ui| one(ui, job, width, commands));
    }
}

fn one(ui: &mut Ui, job: &Job, width: f32, commands: &mut Vec<Command>) {
    let ending = job.progress.is_cancelled();
    Frame::new()
        .fill(theme::RAISED)
        .stroke(Stroke::new(1.0, theme::ACCENT_DIM))
        .corner_radius(7)
        .inner_margin(Margin::symmetric(MARGIN as i8, 8))
        .shadow(theme::shadow())
        .show(ui, |ui| {
            ui.set_width(width);
            ui.horizontal(|ui| {
                let beside = if job.stoppable { 74.0 } else { 0.0 };
                ui.vertical(|ui| {
                    ui.set_width(width - beside);
                    ui.spacing_mut().item_spacing.y = 4.0;
                    let title = match ending {
                        true => format!("{} is being cancelled", job.title),
                        false => job.title.clone(),
                    };
                    ui.add(Label::new(RichText::new(title).color(theme::TEXT)).truncate());
                    let bar = ProgressBar::new(job.progress.share())
                        .desired_height(6.0)
                        .corner_radius(3)
                        .fill(theme::ACCENT);
                    ui.add(bar.desired_width(width - beside));
                    let what = match job.progress.what() {
                        what if what.is_empty() => "waiting".into(),
                        what => what,
                    };
                    let what = RichText::new(what).small().color(theme::WEAK);
                    ui.add(Label::new(what).truncate());
                });
                if job.stoppable {
                    let button = Button::new("Cancel").min_size(vec2(64.0, 26.0));
                    let button = ui.add_enabled(!ending, button);
                    let help = "Give it up: everything stays as it was";
                    if button.on_hover_text(help).clicked() {
                        commands.push(Command::CancelJob(job.number));
                    }
                }
            });
        });
}

#[cfg(test)]
mod tests {
    use crate::{
        session::jobs::{Ending, JobProgress, Queue},
        ui::job_bar::*,
    };
    use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect};
    use std::{thread, time::Instant};

    fn draw(ctx: &Context, jobs: &Jobs<()>, events: Vec<Event>) -> (Vec<Command>, Vec<Rect>) {
        let viewport = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
        let input = RawInput {
            screen_rect: Some(viewport),
            events,
            ..RawInput::default()
        };
        let mut commands = Vec::new();
        let output = ctx.run_ui(input, |ui| {
            commands.clear();
            let mut corner = MessageCorner::of(viewport, None).expect("room");
            show(ui.ctx(), &mut corner, jobs, &mut commands);
        });
        let words = output.shapes.iter().filter_map(|shape| match &shape.shape {
            egui::Shape::Text(text) if text.galley.text() == "Cancel" => {
                Some(shape.shape.visual_bounding_rect())
            }
            _ => None,
        });
        (commands, words.collect())
    }

    #[test]
    fn a_person_sees_a_long_job_and_cancels_it() {
        let ctx = Context::default();
        let mut jobs = Jobs::new(|| ());
        let endless = |progress: &JobProgress| {
            loop {
                progress.at("counting to infinity", 0.25)?;
                thread::sleep(Duration::from_millis(1));
            }
        };
        jobs.start(Queue::Files, "Counting", endless)
            .expect("a thread");
        assert!(draw(&ctx, &jobs, Vec::new()).1.is_empty(), "not at once");
        thread::sleep(AT_ONCE + Duration::from_millis(20));
        draw(&ctx, &jobs, Vec::new());
        let (_, words) = draw(&ctx, &jobs, Vec::new());
        let pos = words.first().expect("a button").center();
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        draw(&ctx, &jobs, vec![Event::PointerMoved(pos)]);
        draw(&ctx, &jobs, vec![button(true)]);
        let (commands, _) = draw(&ctx, &jobs, vec![button(false)]);
        assert_eq!(commands, [Command::CancelJob(1)]);
        jobs.cancel(1);
        let begun = Instant::now();
        let ending = loop {
            match jobs.poll() {
                Some((_, ending)) => break ending,
                None => assert!(begun.elapsed().as_secs() < 60, "it never ends"),
            }
        };
        assert_eq!(ending, Ending::Cancelled);
    }
}
