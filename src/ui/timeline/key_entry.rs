//! The popup in which the time and the values of a key are typed, or the length of the shot.

mod head_values;

use super::number_keys::{replace_tracks, tunable};
use crate::{
    param::{Kind, Params, Track, TrackKey, Tracks, Tunable, Value},
    project::{history::ParamPlace, scene::Scene},
    ui::{
        command::Command,
        name_field::begin_anew,
        theme,
        time_unit::TimeUnit,
        widgets::{typed::Typed, unit::Unit},
    },
};
use egui::{
    Align2, Area, Context, Frame, Grid, Id, Key, Order, Pos2, Rect, RichText, TextEdit, Ui,
    text::{CCursor, CCursorRange},
    vec2,
    widgets::text_edit::TextEditState,
};

/// Width of a field. `[points]`
const FIELD: f32 = 92.0;

/// What is typed is one of these.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryTarget {
    /// The keyframe of the head at a time. `[s]`
    Head(f64),
    /// The keys of all numbers at a time. `[s]`
    Numbers(f64),
    /// The key of a number, `section.key`, at a time. `[s]`
    Number(String, f64),
    /// Where the shot ends, after so long. `[s]`
    End(f64),
}

/// A field: what stands in it, and what stood there at first.
#[derive(Clone, Debug)]
struct Field {
    text: String,
    before: String,
}

impl Field {
    fn new(text: String) -> Self {
        Self {
            before: text.clone(),
            text,
        }
    }

    /// Whether something else was typed.
    fn is_other(&self) -> bool {
        self.text.trim() != self.before
    }
}

/// The popup that is open.
#[derive(Clone, Debug)]
pub struct KeyEntry {
    target: EntryTarget,
    /// Where it points.
    at: Pos2,
    time: Field,
    /// Of one number's key, its value; of the head's, turns and ways.
    values: Vec<Field>,
    /// What was wrong with what was typed last.
    word: Option<String>,
    /// Whether it has been drawn.
    shown: bool,
}

impl KeyEntry {
    /// One for `target`, which is seen at that place.
    pub fn new(target: EntryTarget, at: Pos2, scene: &Scene, unit: TimeUnit) -> Self {
        let time = target.time();
        let texts = match (&target, target.number(scene)) {
            (_, Some(number)) => vec![number.unit.text(number.key.value)],
            (EntryTarget::Head(time), _) => head_values::texts(scene, *time),
            _ => Vec::new(),
        };
        let values = texts.iter().map(|text| Field::new(text.trim().into()));
        Self {
            target,
            at,
            time: Field::new(unit.number(time)),
            values: values.collect(),
            word: None,
            shown: false,
        }
    }

    /// Draws it; answers whether it stays open. What Enter applies becomes a command.
    pub fn show(
        &mut self,
        ctx: &Context,
        scene: &Scene,
        unit: TimeUnit,
        commands: &mut Vec<Command>,
    ) -> bool {
        let [enter, escape] =
            [Key::Enter, Key::Escape].map(|key| ctx.input(|input| input.key_pressed(key)));
        if escape {
            return false;
        }
        let area = Area::new(Id::unique("time and value of a key"))
            .order(Order::Foreground)
            .pivot(Align2::CENTER_BOTTOM)
            .fixed_pos(self.at - vec2(0.0, 12.0))
            .constrain(true);
        let response = area.show(ctx, |ui| {
            Frame::popup(ui.style()).show(ui, |ui| self.fields(ui, scene, unit));
        });
        let pressed = ctx.input(|input| {
            let at = input.pointer.interact_pos();
            at.filter(|_| input.pointer.any_pressed())
        });
        let beside = |rect: Rect| pressed.is_some_and(|at| !rect.contains(at));
        let left = self.shown && beside(response.response.rect);
        self.shown = true;
        if left {
            return false;
        }
        if enter {
            match self.applied(scene, unit) {
                Ok(command) => {
                    commands.extend(command);
                    return false;
                }
                Err(word) => self.word = Some(word),
            }
        }
        true
    }

    fn fields(&mut self, ui: &mut Ui, scene: &Scene, unit: TimeUnit) {
        let field_id = |index: usize| Id::unique(("field of a key", index));
        let ids: Vec<Id> = (0..=self.values.len()).map(field_id).collect();
        if !self.shown {
            ids.iter().for_each(|id| begin_anew(ui.ctx(), *id));
        }
        let name = match (&self.target, unit) {
            (EntryTarget::End(_), TimeUnit::Seconds) => "Length in seconds",
            (EntryTarget::End(_), TimeUnit::Frames(_)) => "Length in frames",
            (_, TimeUnit::Seconds) => "Time in seconds",
            (_, TimeUnit::Frames(_)) => "Frame",
        };
        let labels = match (&self.target, self.target.number(scene)) {
            (_, Some(number)) => vec![number.tunable.label],
            (EntryTarget::Head(_), _) => head_values::labels(scene),
            _ => Vec::new(),
        };
        Grid::new("fields of a key").num_columns(2).show(ui, |ui| {
            let row = |ui: &mut Ui, name: &str, field: &mut Field, id| {
                let label = ui.label(name);
                let edit = TextEdit::singleline(&mut field.text).id(id);
                let edit = ui.add(edit.desired_width(FIELD)).labelled_by(label.id);
                if edit.gained_focus() {
                    select_all(ui.ctx(), id, &field.text);
                }
                ui.end_row();
            };
            row(ui, name, &mut self.time, ids[0]);
            let values = self.values.iter_mut().zip(labels);
            for ((field, label), id) in values.zip(&ids[1..]) {
                row(ui, label, field, *id);
            }
        });
        let typing = ids
            .iter()
            .any(|id| ui.memory(|memory| memory.has_focus(*id)));
        if !typing {
            // The keyboard stays here until this is closed.
            select_all(ui.ctx(), ids[0], &self.time.text);
            ui.memory_mut(|memory| memory.request_focus(ids[0]));
        }
        let (text, colour) = match &self.word {
            Some(word) => (word.as_str(), ui.visuals().warn_fg_color),
            None => ("Enter applies, Esc leaves it", theme::WEAK),
        };
        ui.label(RichText::new(text).small().color(colour));
    }

    /// What Enter does; nothing where nothing else was typed.
    ///
    /// # Errors
    /// A few words on what is wrong with what was typed.
    fn applied(&self, scene: &Scene, unit: TimeUnit) -> Result<Option<Command>, String> {
        let value_of = |number: &KeyOfNumber| match self.values.first() {
            Some(field) if field.is_other() => number.read(&field.text),
            _ => Ok(number.key.value),
        };
        let time = match self.time.is_other() {
            true => Some(unit.read(&self.time.text)?),
            false => None,
        };
        if let Some(number) = self.target.number(scene) {
            let to = (time.unwrap_or(number.key.time), value_of(&number)?);
            return number.moved(&scene.sim.tracks.keys, to, unit);
        }
        if let EntryTarget::Head(before) = &self.target {
            return self.head_applied(scene, [*before, time.unwrap_or(*before)], unit);
        }
        let Some(time) = time else { return Ok(None) };
        match &self.target {
            EntryTarget::Numbers(before) => {
                let tracks = &scene.sim.tracks.keys;
                let mut moved = tracks.without(*before);
                if moved == *tracks {
                    return Err(GONE.into());
                }
                if (moved.put(tracks, *before, time, unit.grid()) - time).abs() >= Tracks::NEAR {
                    return Err(TAKEN.into());
                }
                Ok(Some(replace_tracks(moved, false)))
            }
            EntryTarget::Head(_) | EntryTarget::Number(..) => Err(GONE.into()),
            EntryTarget::End(_) => set_end(scene, time, unit, false).map(Some),
        }
    }

    /// The same of the head's key that was at the first of these times: it goes to the second.
    /// `[s]`
    fn head_applied(
        &self,
        scene: &Scene,
        [before, time]: [f64; 2],
        unit: TimeUnit,
    ) -> Result<Option<Command>, String> {
        let mut keys = scene.sim.motion.keyframes.clone();
        let index = keys.key_at(before).ok_or(GONE)?;
        let mut key = keys.keys()[index];
        for (index, field) in self.values.iter().enumerate() {
            if field.is_other() {
                head_values::set(scene, &mut key, index, &field.text)?;
            }
        }
        keys.remove(index);
        if keys.key_at(time).is_some() {
            return Err(TAKEN.into());
        }
        keys.put(key, time, unit.grid());
        let changed = keys != scene.sim.motion.keyframes;
        Ok(changed.then_some(Command::ReplaceKeyframes { keys, held: false }))
    }
}

/// Why a key cannot be put where another one is.
const TAKEN: &str = "Another key is there already";

/// Why a key cannot be changed any more.
const GONE: &str = "The key is gone";

/// Lets the shot end after `time` `[s]`, or with 0 not by itself; `held` while its end is
/// dragged.
///
/// # Errors
/// A few words where it cannot be so long.
pub fn set_end(scene: &Scene, time: f64, unit: TimeUnit, held: bool) -> Result<Command, String> {
    let (place, most) = end_place(scene).ok_or("There is no length")?;
    if time > most {
        let most = unit.number(most);
        return Err(format!("At most {most} {}", unit.suffix()));
    }
    Ok(Command::Set {
        place,
        value: Value::Float(time),
        held,
    })
}

/// Where the scene keeps the length of a recording, and the longest that it may have. `[s]`
pub fn end_place(scene: &Scene) -> Option<(ParamPlace, f64)> {
    let place = scene.place("capture.seconds")?;
    let tunable = scene.capture.tunables().into_iter().nth(place.1)?;
    match tunable.kind {
        Kind::Float { range, .. } => Some((place, *range.end())),
        _ => None,
    }
}

/// The key of one number.
struct KeyOfNumber {
    name: String,
    key: TrackKey,
    tunable: Tunable,
    unit: Unit,
}

impl EntryTarget {
    /// The time that it has now. `[s]`
    pub fn time(&self) -> f64 {
        match self {
            Self::Head(time) | Self::Numbers(time) | Self::Number(_, time) | Self::End(time) => {
                *time
            }
        }
    }

    /// The key that it is, if it is that of one number alone.
    fn number(&self, scene: &Scene) -> Option<KeyOfNumber> {
        let tracks = scene.sim.tracks.keys.tracks();
        let (track, time) = match self {
            Self::Number(name, time) => (scene.sim.tracks.keys.of(name)?, *time),
            Self::Numbers(time) => {
                let there = |track: &&Track| track.key_at(*time).is_some();
                let mut all = tracks.iter().filter(there);
                let first = all.next()?;
                (all.next().is_none().then_some(first)?, *time)
            }
            Self::Head(_) | Self::End(_) => return None,
        };
        let tunable = tunable(&scene.sections(), track.parameter())?;
        Some(KeyOfNumber {
            name: track.parameter().into(),
            key: track.keys()[track.key_at(time)?],
            unit: Unit::of(&tunable),
            tunable,
        })
    }
}

impl KeyOfNumber {
    /// The value that a text says, in the unit of the slider or in one of its own.
    fn read(&self, text: &str) -> Result<f64, String> {
        let Kind::Float { range, .. } = &self.tunable.kind else {
            return Err("That is no number".into());
        };
        let limits = range.start() * self.unit.factor..=range.end() * self.unit.factor;
        let shown = Typed::new(&self.unit.suffix, limits).number(text)?;
        Ok((shown / self.unit.factor).clamp(*range.start(), *range.end()))
    }

    /// It at another time and value.
    fn moved(
        &self,
        tracks: &Tracks,
        (time, value): (f64, f64),
        unit: TimeUnit,
    ) -> Result<Option<Command>, String> {
        if (time, value) == (self.key.time, self.key.value) {
            return Ok(None);
        }
        let mut moved = tracks.clone();
        let there = moved.move_key(&self.name, self.key.time, (time, value), unit.grid(), false);
        match (there - time).abs() < Tracks::NEAR {
            true => Ok(Some(replace_tracks(moved, false))),
            false => Err(TAKEN.into()),
        }
    }
}

fn select_all(ctx: &Context, field: Id, text: &str) {
    let mut state = TextEditState::load(ctx, field).unwrap_or_default();
    let ends = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(ends));
    state.store(ctx, field);
}

#[cfg(test)]
mod tests;
