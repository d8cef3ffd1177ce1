//! A desk to try the window at: an X server of its own, mouse and keys, eyes.
#![allow(dead_code, reason = "each test program uses its own part of this")]

mod shot;

pub use shot::Shot;

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Condvar, Mutex},
    thread::sleep,
    time::{Duration, Instant},
};
use x11rb::{
    connection::Connection as _,
    protocol::{
        Event,
        xproto::{
            AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask,
            ImageFormat, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, Window,
            WindowClass,
        },
    },
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

/// A slow machine with other work to do needs time.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until `look` sees something.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain for {what}");
        sleep(Duration::from_millis(60));
    }
}

/// A place at the table: as many windows are open at once as there are cores.
/// Windows that starve look as if nothing moved in them.
struct Seat;

/// Places that are taken.
static TAKEN: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

impl Seat {
    fn take() -> Self {
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let (taken, left) = &TAKEN;
        let taken = taken.lock().expect("nobody failed here");
        *left
            .wait_while(taken, |taken| *taken >= most)
            .expect("nobody failed here") += 1;
        Self
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        *TAKEN.0.lock().expect("nobody failed here") -= 1;
        TAKEN.1.notify_one();
    }
}

/// The X server and the program on it.
pub struct DrivenWindow {
    /// Until the program has ended.
    seat: Option<Seat>,
    server: Child,
    display: String,
    program: Child,
    connection: RustConnection,
    window: Window,
    pub folder: tempfile::TempDir,
    /// What the program writes on its error output.
    log: tempfile::NamedTempFile,
}

impl DrivenWindow {
    /// Starts both, and waits for the window; none (with a message) where the
    /// tools or OpenGL are missing, unless they are required.
    pub fn new(arguments: &[&str]) -> Option<Self> {
        Self::with(arguments, None)
    }

    /// The same for a program that finds what another run has kept in that folder;
    /// one of its own, in which the first hints are read, where none is given.
    pub fn with(arguments: &[&str], state: Option<&Path>) -> Option<Self> {
        Self::open(arguments, state, "warn")
    }

    /// The same of a program that tells more of what it does.
    pub fn logging(arguments: &[&str], state: &Path) -> Option<Self> {
        Self::open(arguments, Some(state), "lovelock=info")
    }

    fn open(arguments: &[&str], state: Option<&Path>, log: &str) -> Option<Self> {
        let mut desk = Self::start_with(arguments, state, log)?;
        let root = desk.window;
        let found = wait_for("the window", || match desk.ended() {
            Some(_) => Some(None),
            None => desk.find_window(root).map(Some),
        });
        match found {
            Some(window) => desk.window = window,
            None => {
                let said = desk.said();
                assert!(said.contains("OpenGL"), "the program ended: {said}");
                eprintln!("{said}");
                return missing("OpenGL 3.3");
            }
        }
        // Without a window manager nobody else gives the keyboard to it.
        desk.xdotool(&["windowfocus", "--sync", &desk.window.to_string()]);
        Some(desk)
    }

    /// Starts both and waits for nothing.
    pub fn start(arguments: &[&str]) -> Option<Self> {
        Self::start_with(arguments, None, "warn")
    }

    fn start_with(arguments: &[&str], state: Option<&Path>, log: &str) -> Option<Self> {
        let seat = Some(Seat::take());
        let Some((server, display)) = start_server() else {
            return missing("Xvfb");
        };
        let folder = tempfile::tempdir().expect("a folder");
        let heads = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heads");
        let own = folder.path().join("state");
        if state.is_none() {
            fs::create_dir(&own).expect("makes a folder");
            fs::write(own.join("hint-read"), "").expect("writes");
        }
        let log_file = tempfile::NamedTempFile::new().expect("a file");
        let program = Command::new(env!("CARGO_BIN_EXE_lovelock"))
            .args(arguments)
            .current_dir(folder.path())
            .env("DISPLAY", &display)
            .env("LOVELOCK_STATE", state.unwrap_or(&own))
            .env("LOVELOCK_LOG", log)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env("WINIT_X11_SCALE_FACTOR", "1")
            .env("LOVELOCK_CACHE", heads)
            .stdin(Stdio::null())
            .stderr(log_file.reopen().expect("the same file"))
            .spawn()
            .expect("the program starts");
        let (connection, screen) =
            RustConnection::connect(Some(&display)).expect("the X server answers");
        let root = connection.setup().roots[screen].root;
        let desk = Self {
            seat,
            server,
            display,
            program,
            connection,
            window: root,
            folder,
            log: log_file,
        };
        if desk.xdotool(&["version"]).is_none() {
            return missing("xdotool");
        }
        Some(desk)
    }

    fn find_window(&self, root: Window) -> Option<Window> {
        let tree = self.connection.query_tree(root).ok()?.reply().ok()?;
        tree.children.into_iter().find(|window| {
            let name = self.connection.get_property(
                false,
                *window,
                AtomEnum::WM_NAME,
                AtomEnum::ANY,
                0,
                64,
            );
            let shown = self.connection.get_window_attributes(*window);
            name.ok()
                .and_then(|name| name.reply().ok())
                .is_some_and(|name| name.value.ends_with(b"Lovelock"))
                && shown
                    .ok()
                    .and_then(|shown| shown.reply().ok())
                    .is_some_and(|shown| u8::from(shown.map_state) == 2)
        })
    }

    /// Mouse and keys; none when there is no xdotool.
    pub fn xdotool(&self, arguments: &[&str]) -> Option<()> {
        let done = Command::new("xdotool")
            .env("DISPLAY", &self.display)
            .args(arguments)
            .stdout(Stdio::null())
            .status()
            .ok()?;
        assert!(done.success(), "xdotool {arguments:?}");
        Some(())
    }

    pub fn key(&self, key: &str) {
        self.xdotool(&["key", key]);
    }

    /// Several keys, faster than frames.
    pub fn keys(&self, keys: &[&str]) {
        self.xdotool(&[&["key", "--delay", "0"], keys].concat());
    }

    /// Drags with the left button as a hand would, in some steps.
    pub fn drag(&self, from: [usize; 2], to: [usize; 2]) {
        self.drag_with("1", from, to);
    }

    /// The same with another button.
    pub fn drag_with(&self, button: &str, from: [usize; 2], to: [usize; 2]) {
        self.point(from);
        self.xdotool(&["mousedown", button]);
        for step in 1..=8 {
            let part = |a: usize, b: usize| (a * (8 - step) + b * step) / 8;
            self.point([part(from[0], to[0]), part(from[1], to[1])]);
            sleep(Duration::from_millis(40));
        }
        self.xdotool(&["mouseup", button]);
    }

    pub fn point(&self, [x, y]: [usize; 2]) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
        sleep(Duration::from_millis(40));
    }

    /// Makes the window so large, as a person without a window manager's limits would.
    pub fn resize(&self, [width, height]: [usize; 2]) {
        let window = self.window.to_string();
        self.xdotool(&[
            "windowsize",
            &window,
            &width.to_string(),
            &height.to_string(),
        ]);
    }

    /// What is to be seen.
    pub fn look(&self) -> Shot {
        let geometry = self.connection.get_geometry(self.window);
        let geometry = geometry
            .expect("asks")
            .reply()
            .expect("the window is there");
        let (width, height) = (geometry.width, geometry.height);
        let image = self.connection.get_image(
            ImageFormat::Z_PIXMAP,
            self.window,
            0,
            0,
            width,
            height,
            u32::MAX,
        );
        let data = image.expect("asks").reply().expect("a picture").data;
        Shot {
            width: width.into(),
            height: height.into(),
            pixels: data.chunks_exact(4).map(|p| [p[2], p[1], p[0]]).collect(),
        }
    }

    /// Waits until the window shows more than that it is there: from then on it
    /// listens to keys.
    pub fn wait_for_head(&self) {
        wait_for("the head", || self.picture().shows_head().then_some(()));
        // The head comes first; the tools beside it come with the hair.
        wait_for("the hair", || {
            let shot = self.look();
            let [tools, backdrop] = [[45, 190], [62, 190]].map(|[x, y]| shot.at(x, y)[0]);
            (tools.saturating_add(15) < backdrop).then_some(())
        });
    }

    /// The picture, without panel, status line and messages, when nothing moves
    /// in it any more and the program has nothing left to do.
    pub fn still(&self) -> Shot {
        let (mut before, mut work) = (self.picture(), self.work());
        wait_for("the picture to be still", || {
            sleep(Duration::from_millis(700));
            let (now, more) = (self.picture(), self.work());
            // One that waits for a core has worked as little as one that is done.
            let still = now == before && more - work <= 10 && !self.wants_a_core();
            (before, work) = (now, more);
            still.then(|| before.clone())
        })
    }

    /// How long the program has had a core so far. `[1/100 s]`
    fn work(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.program.id()));
        let stat = stat.unwrap_or_default();
        // The name before it may hold anything but this.
        let numbers = stat.rsplit(')').next().unwrap_or_default();
        let times = numbers.split_whitespace().skip(11).take(2);
        times.filter_map(|time| time.parse::<u64>().ok()).sum()
    }

    /// Whether one of the program's threads runs, or would if it had a core.
    fn wants_a_core(&self) -> bool {
        let threads = fs::read_dir(format!("/proc/{}/task", self.program.id()));
        threads.into_iter().flatten().flatten().any(|thread| {
            let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            // The letter behind the name: R is running or runnable, D waits for a disk.
            let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
            state.starts_with(['R', 'D'])
        })
    }

    /// The picture, without panel, status line and messages.
    pub fn picture(&self) -> Shot {
        self.look().crop([20, 150], [860, 580])
    }

    /// Saves the scene by dialog, and reads it.
    pub fn save(&self, name: &str) -> toml::Table {
        let path = self.folder.path().join(name);
        self.fill_dialog("ctrl+shift+s", &path);
        let text = fs::read_to_string(path).expect("the scene file");
        text.parse().expect("a scene")
    }

    /// Opens a dialog by key, types a path, and waits until it is closed.
    pub fn fill_dialog(&self, key: &str, path: &Path) {
        let before = self.light();
        self.key(key);
        self.wait_for_dialog(before);
        self.key("ctrl+a");
        self.xdotool(&["type", "--delay", "20", &path.display().to_string()]);
        self.key("Return");
        self.wait_for_light(before);
    }

    /// How light it is beside a dialog, which darkens all around it.
    pub fn light(&self) -> f64 {
        let shot = self.look();
        let corner = shot.crop([960, 5], [300, 200]);
        let sum: u64 = corner.pixels.iter().map(|p| u64::from(p[1])).sum();
        sum as f64 / corner.pixels.len() as f64
    }

    /// Waits until there is a dialog or a question where it was that light before.
    pub fn wait_for_dialog(&self, before: f64) {
        wait_for("the dialog", || {
            (self.light() < 0.85 * before).then_some(())
        });
    }

    /// Waits until there is none any more.
    pub fn wait_for_light(&self, before: f64) {
        wait_for("the dialog to close", || {
            (self.light() > 0.95 * before).then_some(())
        });
    }

    fn atom(&self, name: &str) -> u32 {
        let atom = self.connection.intern_atom(false, name.as_bytes());
        atom.expect("asks").reply().expect("an atom").atom
    }

    fn tell(&self, kind: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, self.window, self.atom(kind), data);
        self.connection
            .send_event(false, self.window, EventMask::NO_EVENT, message)
            .expect("sends");
        self.connection.flush().expect("sends");
    }

    /// Drops a file on the window as a file manager would (XDND 5).
    pub fn drop_file(&self, path: &Path) {
        let own = self.own_window();
        let names = ["XdndSelection", "text/uri-list", "XdndActionCopy"];
        let [selection, list, copy] = names.map(|name| self.atom(name));
        self.connection
            .set_selection_owner(own, selection, 0u32)
            .expect("owns");
        self.tell("XdndEnter", [own, 5 << 24, list, 0, 0]);
        self.tell("XdndPosition", [own, 0, 400 << 16 | 400, 0, copy]);
        let (mut taken, mut asked) = (false, false);
        wait_for("the window to take the file", || {
            while let Some(event) = self.connection.poll_for_event().expect("listens") {
                match event {
                    Event::SelectionRequest(request) => {
                        let text = format!("file://{}\r\n", path.display());
                        self.connection
                            .change_property8(
                                PropMode::REPLACE,
                                request.requestor,
                                request.property,
                                list,
                                text.as_bytes(),
                            )
                            .expect("hands over");
                        let notice = SelectionNotifyEvent {
                            response_type: SELECTION_NOTIFY_EVENT,
                            sequence: 0,
                            time: request.time,
                            requestor: request.requestor,
                            selection,
                            target: list,
                            property: request.property,
                        };
                        self.connection
                            .send_event(false, request.requestor, EventMask::NO_EVENT, notice)
                            .expect("sends");
                        self.connection.flush().expect("sends");
                        asked = true;
                    }
                    // XdndStatus: its lowest bit says yes.
                    Event::ClientMessage(said) => taken |= said.data.as_data32()[1] & 1 == 1,
                    _ => {}
                }
            }
            (taken && asked).then_some(())
        });
        self.tell("XdndDrop", [own, 0, 0, 0, 0]);
    }

    /// The captured frames, in order; none is being written.
    pub fn frames(&self) -> Vec<PathBuf> {
        let folder = self.folder.path().join("renders");
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        let mut frames: Vec<PathBuf> = entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| name(path).starts_with("render"))
            .collect();
        frames.sort();
        frames
    }

    /// Closes the window as its cross would, discards what is not saved, and
    /// waits for the program's end.
    pub fn close(&mut self) -> ExitStatus {
        self.ask_to_close();
        let mut asked = Instant::now();
        let status = wait_for("the program's end", || {
            let ended = self.ended();
            if ended.is_none() && asked.elapsed() > Duration::from_millis(1200) {
                // There may be a question what to do with the changes.
                self.key("d");
                asked = Instant::now();
            }
            ended
        });
        self.seat = None;
        status
    }

    /// Asks the window to close as its cross would.
    pub fn ask_to_close(&self) {
        let delete = self.atom("WM_DELETE_WINDOW");
        self.tell("WM_PROTOCOLS", [delete, 0, 0, 0, 0]);
    }

    /// Ends the program as a crash would.
    pub fn crash(&mut self) {
        self.program.kill().expect("it can be ended");
        self.leave();
    }

    /// The window's title.
    pub fn title(&self) -> String {
        let kind = self.atom("_NET_WM_NAME");
        let name = self
            .connection
            .get_property(false, self.window, kind, AtomEnum::ANY, 0, 256);
        let name = name.expect("asks").reply().expect("a title").value;
        String::from_utf8(name).expect("text")
    }

    /// What another program would paste; none where nobody has copied anything.
    pub fn clipboard(&self) -> Option<String> {
        let own = self.own_window();
        let [selection, text, property] =
            ["CLIPBOARD", "UTF8_STRING", "PASTED"].map(|name| self.atom(name));
        self.connection
            .convert_selection(own, selection, text, property, 0u32)
            .expect("asks");
        self.connection.flush().expect("asks");
        wait_for("the clipboard", || {
            match self.connection.poll_for_event().expect("listens") {
                Some(Event::SelectionNotify(notice)) if notice.property == 0 => Some(None),
                Some(Event::SelectionNotify(_)) => {
                    let text =
                        self.connection
                            .get_property(true, own, property, AtomEnum::ANY, 0, 4096);
                    let text = text.expect("asks").reply().expect("a text").value;
                    Some(Some(String::from_utf8(text).expect("text")))
                }
                _ => None,
            }
        })
    }

    /// Copies as another program would, and hands the text over until it was
    /// asked for.
    pub fn copy(&self, text: &str, then: impl FnOnce()) {
        let own = self.own_window();
        let [selection, utf8, targets] =
            ["CLIPBOARD", "UTF8_STRING", "TARGETS"].map(|name| self.atom(name));
        self.connection
            .set_selection_owner(own, selection, 0u32)
            .expect("owns");
        self.connection.flush().expect("owns");
        then();
        wait_for("the window to paste", || {
            let Some(Event::SelectionRequest(request)) =
                self.connection.poll_for_event().expect("listens")
            else {
                return None;
            };
            let (to, property) = (request.requestor, request.property);
            let replace = PropMode::REPLACE;
            let told = match request.target {
                target if target == targets => self.connection.change_property32(
                    replace,
                    to,
                    property,
                    AtomEnum::ATOM,
                    &[utf8, targets],
                ),
                _ => self
                    .connection
                    .change_property8(replace, to, property, utf8, text.as_bytes()),
            };
            told.expect("hands over");
            let notice = SelectionNotifyEvent {
                response_type: SELECTION_NOTIFY_EVENT,
                sequence: 0,
                time: request.time,
                requestor: to,
                selection,
                target: request.target,
                property,
            };
            self.connection
                .send_event(false, to, EventMask::NO_EVENT, notice)
                .expect("sends");
            self.connection.flush().expect("sends");
            (request.target == utf8).then_some(())
        });
    }

    /// A window of the test's own, that nobody sees.
    fn own_window(&self) -> Window {
        let own = self.connection.generate_id().expect("an id");
        let root = self.connection.setup().roots[0].root;
        let (kind, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        self.connection
            .create_window(0, own, root, 0, 0, 1, 1, 0, kind, 0, &aux)
            .expect("a window");
        own
    }

    /// Waits for the program's end.
    fn leave(&mut self) -> ExitStatus {
        let status = wait_for("the program's end", || self.ended());
        self.seat = None;
        status
    }

    /// Destroys the window as no polite program would, and waits for the
    /// program's end.
    pub fn destroy(&mut self) -> ExitStatus {
        self.connection.destroy_window(self.window).expect("sends");
        self.connection.flush().expect("sends");
        self.leave()
    }

    /// How the program ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.program.try_wait().expect("it can be asked")
    }

    /// What the program has said on its error output so far.
    pub fn said(&self) -> String {
        fs::read_to_string(self.log.path()).expect("text")
    }
}

impl Drop for DrivenWindow {
    fn drop(&mut self) {
        for child in [&mut self.program, &mut self.server] {
            // They may have ended by themselves.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// An X server on a free display.
fn start_server() -> Option<(Child, String)> {
    let mut server = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1400x900x24",
            "-nolisten",
            "tcp",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut number = String::new();
    let stdout = server.stdout.take()?;
    BufReader::new(stdout).read_line(&mut number).ok()?;
    let number = number.trim();
    if number.is_empty() {
        let _ = server.wait();
        return None;
    }
    Some((server, format!(":{number}")))
}

fn missing<T>(what: &str) -> Option<T> {
    assert_ne!(
        std::env::var("REQUIRE_GL").as_deref(),
        Ok("1"),
        "{what} is required"
    );
    eprintln!("skipped: there is no {what}");
    None
}

/// A path's last part.
pub fn name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("")
}
