//! The window: events in, commands out, and when to draw.
//!
//! A frame is drawn when something is new (the hair moved, the mouse did
//! something, the panel animates), and never more often than the display
//! shows; otherwise the thread sleeps.

use super::{
    app_state::AppState, command::Command, display, hint::Hint, keys, main_window::MainWindow,
};
use crate::{
    project::{scene::Scene, scene_file::SceneFile, state_folder},
    render::surface::Surface3d,
};
use anyhow::{Context as _, anyhow};
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use winit::{
    application::ApplicationHandler,
    dpi::LogicalSize,
    event::{ElementState, KeyEvent, WindowEvent},
    event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy},
    keyboard::{Key, NamedKey},
    window::{Fullscreen, Theme, Window, WindowId},
};

/// How the window begins.
#[derive(Clone, Debug)]
pub struct WindowOptions {
    /// Width and height. `[points]`
    pub size: [u32; 2],
    /// Threads that simulate; none leaves one core to the window.
    pub threads: Option<usize>,
    /// A cache to play; the scene is the one in it.
    pub cache: Option<PathBuf>,
    /// When the program was started.
    pub begun: Instant,
    /// Where the scene is from; none of one that is nowhere yet.
    pub document: Option<SceneFile>,
    /// After so many frames the OpenGL context counts as lost, for tests.
    pub lose_context_after: Option<u32>,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            size: [1280, 800],
            threads: None,
            cache: None,
            begun: Instant::now(),
            document: None,
            lose_context_after: None,
        }
    }
}

/// Opens the window on `scene` and stays until it is closed.
///
/// # Errors
/// When there is no display, no OpenGL 3.3, or the scene cannot be built.
pub fn run(scene: Scene, options: WindowOptions) -> anyhow::Result<()> {
    let event_loop = EventLoop::<Wake>::with_user_event()
        .build()
        .map_err(|error| {
            // The reason names variables and places in winit's source.
            log::info!("{error}");
            anyhow!(
                "cannot open a window, there is no display; \
                 `lovelock render` makes pictures without one"
            )
        })?;
    let proxy = event_loop.create_proxy();
    // One wake-up on its way is enough, however fast the hair moves.
    let awake = Arc::new(AtomicBool::new(false));
    let wake = {
        let (awake, proxy) = (awake.clone(), proxy.clone());
        move || {
            if !awake.swap(true, Ordering::AcqRel) {
                // The window may have closed; then nobody has to wake up.
                let _ = proxy.send_event(Wake::News);
            }
        }
    };
    // Whoever has named another scene, or said what it is to be, has begun.
    let begins = scene == Scene::default();
    // Head and hair are built while the window opens.
    let mut program = AppState::new(scene, options.threads, wake)
        .context("cannot start the simulation's thread")?;
    if let Some(document) = &options.document {
        program.document.begin(document.clone());
    }
    program.keep_in(state_folder::path().as_deref());
    program.ui.hint = Hint::load(begins);
    if let Some(path) = &options.cache {
        program.perform(Command::Play(path.clone()));
    }
    let mut app = App {
        program,
        options,
        proxy,
        awake,
        screen: None,
        title: String::new(),
        full_screen: false,
        asked: None,
        fault: None,
    };
    let ran = event_loop.run_app(&mut app);
    if !app.program.ui.over {
        // Nobody closed the window: what is not saved is offered next time.
        app.program.document.rescue();
    }
    ran.context("the window system failed")?;
    match app.fault {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// No window is made smaller by hand: the panel keeps its width, and the timeline and a few
/// messages still have their place beside it. Width and height. `[points]`
const SMALLEST: [f64; 2] = [880.0, 480.0];

/// A recording waits so long for the window system to let the window draw.
const PATIENCE: Duration = Duration::from_millis(400);

/// Why the event loop should look around.
#[derive(Clone, Copy, Debug)]
enum Wake {
    /// The simulation has something to show.
    News,
    /// The panel wants to be drawn at that moment.
    Panel(Instant),
}

struct App {
    program: AppState,
    options: WindowOptions,
    proxy: EventLoopProxy<Wake>,
    awake: Arc<AtomicBool>,
    screen: Option<MainWindow>,
    /// The window's title.
    title: String,
    /// Whether the window was told to fill the screen.
    full_screen: bool,
    /// Since when the window system has been asked to let the window draw.
    asked: Option<Instant>,
    fault: Option<anyhow::Error>,
}

impl App {
    fn open(&self, event_loop: &ActiveEventLoop) -> anyhow::Result<MainWindow> {
        let [width, height] = display::fitting(event_loop, self.options.size);
        let attributes = Window::default_attributes()
            .with_title("Lovelock")
            .with_theme(Some(Theme::Dark))
            .with_inner_size(LogicalSize::new(width, height))
            .with_min_inner_size(LogicalSize::new(
                width.min(SMALLEST[0]),
                height.min(SMALLEST[1]),
            ));
        let surface = Surface3d::open(event_loop, &attributes, self.options.lose_context_after)?;
        let proxy = self.proxy.clone();
        let interval = display::interval(surface.window());
        MainWindow::new(
            event_loop,
            surface,
            interval,
            self.options.begun,
            move |delay| {
                // Far-off moments stand for "never".
                if delay < Duration::from_secs(3600) {
                    // The window may have closed.
                    let _ = proxy.send_event(Wake::Panel(Instant::now() + delay));
                }
            },
        )
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: anyhow::Error) {
        if self.fault.is_none() {
            self.fault = Some(match self.program.document.rescue() {
                Some(_) => {
                    anyhow!("{error:#}; what was not saved is offered when lovelock starts again")
                }
                None => error,
            });
        }
        event_loop.exit();
    }

    /// Tells the window how the scene is called, and closes it when that was
    /// asked for.
    fn follow(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        let title = self.program.document.title();
        if title != self.title {
            screen.window().set_title(&title);
            self.title = title;
        }
        if self.program.ui.full_screen != self.full_screen {
            self.full_screen = self.program.ui.full_screen;
            let whole = self.full_screen.then_some(Fullscreen::Borderless(None));
            screen.window().set_fullscreen(whole);
        }
        if self.program.ui.over && !event_loop.exiting() {
            self.program.session.end();
            event_loop.exit();
        }
    }

    /// Takes in news and draws; ends the program when it cannot go on.
    fn redraw(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        self.awake.store(false, Ordering::Release);
        self.program.autosave(Instant::now());
        let outcome = screen.frame(&mut self.program);
        if screen.is_lost() {
            self.reopen(event_loop);
        } else if let Some(fault) = self.program.ui.fault.take() {
            self.fail(event_loop, anyhow!(fault));
        } else if let Err(error) = outcome {
            self.fail(event_loop, error);
        }
    }

    /// Lets the window go on with a new context; ends the program when there is none.
    fn reopen(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = self.screen.take() else {
            return;
        };
        match screen.reopen(&mut self.program) {
            Ok(screen) => self.screen = Some(screen),
            Err(error) => self.fail(event_loop, error),
        }
    }

    /// Whether the window system does not let the window draw, as some do when
    /// it is hidden, without saying so.
    fn waits_in_vain(&self, now: Instant) -> bool {
        self.asked
            .is_some_and(|asked| now.saturating_duration_since(asked) > PATIENCE)
    }

    fn key(&mut self, event: &KeyEvent) -> bool {
        let Some(screen) = &mut self.screen else {
            return false;
        };
        let row = keys::pressed(&event.logical_key, event.physical_key, screen.modifiers);
        if event.state != ElementState::Pressed {
            return false;
        }
        let escape = event.logical_key == Key::Named(NamedKey::Escape);
        let typing = screen.is_typing(&self.program);
        if screen.has_popup() && (escape || moves_in_lists(&event.logical_key)) {
            // A list or a menu closes by itself, and one goes through it by keys.
            return false;
        }
        let ui = &self.program.ui;
        if escape && typing && !(ui.is_asked() || ui.shows_help) {
            // The field's text ends, and nothing else.
            return false;
        }
        if escape {
            screen.finish_keys(&mut self.program);
            self.program.perform(Command::Escape);
            // A text field wants to know, too.
            return !typing;
        }
        if self.program.ui.is_asked() {
            return false;
        }
        if typing {
            if let Some(row) = row.filter(|row| row.leaves_text() && !event.repeat) {
                screen.press_after_text(row.command.clone());
            }
            return false;
        }
        // A key that is held steps on, but does not switch to and fro.
        if let Some(row) = row.filter(|row| !event.repeat || row.repeats) {
            screen.press(&mut self.program, row);
        }
        row.is_some()
    }

    /// Does what any other event than a wish for a frame asks for.
    fn take_event(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) {
        if let WindowEvent::KeyboardInput { event, .. } = &event
            && self.key(event)
        {
            if let Some(screen) = &mut self.screen {
                screen.pacing.want();
            }
            return;
        }
        let Some(screen) = &mut self.screen else {
            return;
        };
        let response = screen.on_event(&event);
        if response.repaint {
            screen.pacing.want();
        }
        match event {
            WindowEvent::CloseRequested => {
                screen.finish_keys(&mut self.program);
                self.program.perform(Command::Close);
                screen.pacing.want();
            }
            WindowEvent::Resized(size) => {
                screen.resize(size.width, size.height);
                screen.pacing.want();
            }
            WindowEvent::Destroyed => {
                screen.hidden = true;
                self.program.session.end();
                event_loop.exit();
            }
            WindowEvent::Occluded(hidden) => {
                screen.hidden = hidden;
                screen.pacing.want();
            }
            WindowEvent::Moved(_) => screen.pacing.set(display::interval(screen.window())),
            WindowEvent::ModifiersChanged(modifiers) => screen.modifiers = modifiers.state(),
            WindowEvent::DroppedFile(path) => self.program.dropped(path),
            WindowEvent::Focused(false) => screen.lose_mouse(&mut self.program),
            WindowEvent::MouseInput { state, button, .. } => {
                screen.mouse_button(&mut self.program, state, button);
            }
            WindowEvent::CursorMoved { position, .. } => {
                screen.mouse_moved(&mut self.program, [position.x, position.y]);
            }
            WindowEvent::MouseWheel { delta, .. } => screen.wheel(&mut self.program, delta),
            WindowEvent::PinchGesture { delta, .. } => screen.pinch(&mut self.program, delta),
            _ => {}
        }
    }
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        match self.open(event_loop) {
            Ok(screen) => {
                screen.window().request_redraw();
                self.screen = Some(screen);
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, wake: Wake) {
        if let Some(screen) = &mut self.screen {
            match wake {
                Wake::News => screen.pacing.want(),
                Wake::Panel(moment) => screen.pacing.want_at(moment),
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let WindowEvent::RedrawRequested = event {
            self.asked = None;
            self.redraw(event_loop);
            return;
        }
        let (begun, what) = (Instant::now(), named(&event));
        self.take_event(event_loop, event);
        self.program.session.waits.note(what, begun.elapsed());
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.follow(event_loop);
        let vain = self.waits_in_vain(Instant::now());
        let Some(screen) = &mut self.screen else {
            return;
        };
        if let Some(due) = self.program.autosave_due() {
            screen.pacing.want_at(due);
        }
        let unseen = !screen.is_seen();
        // A window system need not ask a hidden window to draw, but a recording
        // goes on behind others.
        let recording = self.program.session.recorder().is_busy();
        if recording {
            screen
                .pacing
                .want_at(Instant::now() + Duration::from_millis(50));
        }
        let now = Instant::now();
        match screen.pacing.next(now) {
            None => event_loop.set_control_flow(ControlFlow::Wait),
            Some(moment) if moment > now => {
                event_loop.set_control_flow(ControlFlow::WaitUntil(moment));
            }
            Some(_) if !(unseen || recording && vain) => {
                screen.window().request_redraw();
                self.asked.get_or_insert(now);
                event_loop.set_control_flow(match recording {
                    true => ControlFlow::WaitUntil(now + PATIENCE / 4),
                    false => ControlFlow::Wait,
                });
            }
            Some(_) => {
                let hidden = std::mem::replace(&mut screen.hidden, true);
                self.redraw(event_loop);
                if let Some(screen) = &mut self.screen {
                    screen.hidden = hidden;
                }
                let soon = Instant::now() + Duration::from_millis(if recording { 1 } else { 100 });
                event_loop.set_control_flow(ControlFlow::WaitUntil(soon));
            }
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        log::info!("{}", self.program.session.waits.told());
        if let Some(screen) = self.screen.take() {
            screen.close();
        }
    }
}

/// What an event is called where it takes long.
fn named(event: &WindowEvent) -> &'static str {
    match event {
        WindowEvent::KeyboardInput { .. } => "a key",
        WindowEvent::MouseInput { .. } => "a mouse button",
        WindowEvent::CursorMoved { .. } => "the mouse",
        WindowEvent::MouseWheel { .. } => "the wheel",
        WindowEvent::DroppedFile(_) => "a dropped file",
        WindowEvent::Resized(_) => "another size",
        _ => "an event",
    }
}
/// Whether a key chooses in an open list.
fn moves_in_lists(key: &Key) -> bool {
    use NamedKey::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Space, Tab};
    let Key::Named(key) = key else {
        return false;
    };
    [ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Space, Tab].contains(key)
}
