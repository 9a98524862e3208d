//! Many messages in one call.

use std::collections::HashMap;
use std::sync::Arc;

use bulat::algorithm::{
    Algorithm, Iv, Key, Kind, Message, Params, Text, Work, run, run_on_threads,
};
use bulat::{Direction, Error};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::aead::Aead;
use crate::algorithm::{Lengths, Options, SboxesName, explained, find, options};
use crate::border::{Input, Name, Number, Output, number, through, wiped};
use crate::errors::{Class, refused};
use crate::mac::not_right;

/// A key under an algorithm with its options, prepared once for many batches. Threads may share it.
#[pyclass(name = "Key", module = "bulat", frozen)]
pub(crate) struct PyKey(Arc<Key>);

#[pymethods]
impl PyKey {
    #[new]
    #[pyo3(signature = (name, key, *, tag_size=None, s=None, section=None, period=None, sboxes=None, meshing=None))]
    fn new(
        name: Name,
        key: Input,
        tag_size: Option<Number<usize>>,
        s: Option<Number<usize>>,
        section: Option<Number<usize>>,
        period: Option<Number<usize>>,
        sboxes: Option<SboxesName>,
        meshing: Option<bool>,
    ) -> PyResult<Self> {
        let algorithm = find(&name, &[Kind::Mac, Kind::Cipher, Kind::Aead])?;
        let options = options!(tag_size s section period; sboxes meshing);
        Ok(PyKey(prepared(algorithm, &key, &options)?))
    }
    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.algorithm().name
    }
    /// The length of a tag in bytes; 0: none.
    #[getter]
    fn tag_size(&self) -> usize {
        self.0.tag_len()
    }
    fn __repr__(&self) -> String {
        format!("<bulat.Key {}>", self.0.algorithm().name)
    }
}

/// Prepares a key.
pub(crate) fn prepared(
    algorithm: &'static Algorithm,
    key: &Input,
    options: &Options,
) -> PyResult<Arc<Key>> {
    wiped(|| algorithm.key(&options.params(key.bytes())).map(Arc::new))
        .map_err(|e| explained(e, algorithm, Lengths::key(key.len()), options))
}

/// A value for all messages, or a value for each.
enum Each<T> {
    One(T),
    List(Vec<T>),
}

impl<T> Each<T> {
    fn get(&self, i: usize) -> &T {
        match self {
            Each::One(one) => one,
            Each::List(all) => &all[i],
        }
    }
}

/// The objects of a list or another sequence.
fn sequence<'py>(list: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    list.try_iter()?.collect()
}

fn inputs(list: &Bound<'_, PyAny>) -> PyResult<Vec<Input>> {
    list.try_iter()?.map(|item| item?.extract::<Input>()).collect()
}

/// Returns a list with an item for each message.
fn matching<T>(all: Vec<T>, n: usize, what: &str) -> PyResult<Vec<T>> {
    if all.len() == n {
        return Ok(all);
    }
    Err(Class::InvalidInput.error(format_args!("{what}: {} for {n} messages", all.len())))
}

/// A buffer for all messages, or a list of them.
fn each(list: Option<Bound<'_, PyAny>>, n: usize, what: &str) -> PyResult<Option<Each<Input>>> {
    let Some(list) = list else { return Ok(None) };
    if let Ok(one) = list.extract::<Input>() {
        return Ok(Some(Each::One(one)));
    }
    Ok(Some(Each::List(matching(inputs(&list)?, n, what)?)))
}

fn at(each: &Option<Each<Input>>, i: usize) -> &[u8] {
    each.as_ref().map_or(&[], |each| each.get(i).bytes())
}

/// Returns whether there is a single key for all.
fn single(keys: &Bound<'_, PyAny>) -> bool {
    let ready = keys.is_instance_of::<PyKey>() || keys.is_instance_of::<Aead>();
    ready || keys.extract::<Input>().is_ok()
}

/// The keys: prepared ones, or bytes; each object is prepared once.
fn keys(
    algorithm: &'static Algorithm,
    keys: Option<Bound<'_, PyAny>>,
    n: usize,
    options: &Options,
) -> PyResult<Each<Arc<Key>>> {
    let prepare = |key: &Bound<'_, PyAny>| -> PyResult<Arc<Key>> {
        let ready = match key.cast::<PyKey>() {
            Ok(key) => Some(key.get().0.clone()),
            Err(_) => key.cast::<Aead>().ok().map(|key| key.get().key.clone()),
        };
        if let Some(ready) = ready {
            if !core::ptr::eq(ready.algorithm(), algorithm) {
                let words =
                    format!("a key of {}, not of {}", ready.algorithm().name, algorithm.name);
                return Err(Class::InvalidInput.error(words));
            }
            return Ok(ready);
        }
        prepared(algorithm, &key.extract()?, options)
    };
    let Some(keys) = keys else {
        let none = algorithm.key(&options.params(&[])).map(Arc::new);
        let words = |e| explained(e, algorithm, Lengths::key(0), options);
        return none.map(Each::One).map_err(words);
    };
    if single(&keys) {
        return prepare(&keys).map(Each::One);
    }
    let mut known: HashMap<usize, Arc<Key>> = HashMap::new();
    let mut all = Vec::with_capacity(n);
    for key in matching(sequence(&keys)?, n, "keys")? {
        // The list holds the objects, so no two have the same address.
        let address = key.as_ptr() as usize;
        if let Some(known) = known.get(&address) {
            all.push(known.clone());
            continue;
        }
        let new = prepare(&key)?;
        known.insert(address, new.clone());
        all.push(new);
    }
    Ok(Each::List(all))
}

/// Refuses outputs that overlap a second buffer of the call. A message may begin where its own output begins.
fn apart(outputs: &[Output], inputs: &[Input], others: &[&Option<Each<Input>>]) -> PyResult<()> {
    // The beginning, the end, and whether it is written.
    let mut all: Vec<(usize, usize, bool)> = Vec::new();
    for (output, input) in outputs.iter().zip(inputs) {
        let ((at, end), (from, to)) = (output.range(), input.range());
        all.push((at, end, true));
        // In place the output has these bytes already; a tag to check may follow them.
        all.push((if from == at { end.min(to) } else { from }, to, false));
    }
    for each in others.iter().filter_map(|each| each.as_ref()) {
        let list = match each {
            Each::One(one) => core::slice::from_ref(one),
            Each::List(list) => list,
        };
        all.extend(list.iter().map(Input::range).map(|(from, to)| (from, to, false)));
    }
    all.retain(|(from, to, _)| from < to);
    all.sort_unstable();
    // The last end so far: of all buffers, and of the outputs.
    let (mut any, mut written) = (0, 0);
    for (from, to, writes) in all {
        if from < if writes { any } else { written } {
            return Err(Class::InvalidInput.error("overlapping buffers"));
        }
        any = any.max(to);
        if writes {
            written = written.max(to);
        }
    }
    Ok(())
}

/// Processes many messages in one call, side by side if that is faster, each under its own key.
///
/// `data`: a list of messages. `keys`, `ivs`, `associated_data`: one for all, or a list with one for each; a key is bytes, a `Key`
/// or an `Aead`. Two messages to encrypt under one key and one IV are both refused; two `Key` or `Aead` objects count as two keys,
/// even if their bytes are equal. Returns the digests of a hash, the tags of a MAC, the texts of encryption (with their tags), or the
/// plaintexts with `decrypt=True`. `tags`: checks these MACs, and returns True for each.
///
/// `into`: writable buffers for the results of encryption and decryption, which may be the messages themselves; returns the
/// lengths of the results. Ctrl-C leaves some of them done, and their IVs used. `threads`: the number of threads; 0: one for each
/// processor.
///
/// The first message that fails raises its exception. With `return_exceptions` the list contains it, and the other messages are done.
///
/// >>> [d.hex()[:8] for d in batch("streebog256", [b"abc", b"def"])]
/// ['4e2919cf', '9c62a6cd']
/// >>> texts = batch("kuznyechik-ctr", [b"one", b"two"], [bytes(32), bytes(range(32))], bytes(8))
/// >>> batch("kuznyechik-ctr", texts, [bytes(32), bytes(range(32))], bytes(8), decrypt=True)
/// [b'one', b'two']
/// >>> batch("kuznyechik-ctr", [b"one", b"two"], bytes(32), bytes(8))
/// Traceback (most recent call last):
/// bulat.InvalidInput: messages 0 and 1: one IV under one key
#[pyfunction]
#[pyo3(
    signature = (name, data, keys=None, ivs=None, *, threads=Number(1), **named),
    text_signature = "(name, data, keys=None, ivs=None, *, associated_data=None, tags=None, decrypt=False, into=None, threads=1, return_exceptions=False, tag_size=None, s=None, section=None, period=None, sboxes=None, meshing=None)"
)]
pub(crate) fn batch<'py>(
    py: Python<'py>,
    name: Name,
    data: Bound<'py, PyAny>,
    keys: Option<Bound<'py, PyAny>>,
    ivs: Option<Bound<'py, PyAny>>,
    threads: Number<usize>,
    named: Option<Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let arguments = BatchArguments::new("batch()", name, data, keys, ivs, named)?;
    arguments.run(py, |messages| match threads.0 {
        // Keys, states and records of a group stay in the second-level cache.
        1 => in_portions(py, messages, |portion| {
            let (mut portion, mut done) = (portion.into_iter(), Vec::new());
            while portion.len() > 0 {
                done.append(&mut run(portion.by_ref().take(1 << 10).collect()));
            }
            done
        }),
        // New threads each time: the threads of a lasting pool do not survive a fork.
        n => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n.min(1 << 12)).build();
            let pool = pool.map_err(|_| PyRuntimeError::new_err("no threads to be had"))?;
            in_portions(py, messages, |portion| pool.install(|| run_on_threads(portion)))
        }
    })
}

/// Runs many messages in portions, far more than can run side by side, and checks for signals between them. Python's lock
/// is taken only there: another thread of Python may keep it for milliseconds.
fn in_portions<'a>(
    py: Python<'_>,
    messages: Vec<Message<'a>>,
    run: impl Fn(Vec<Message<'a>>) -> Vec<Result<(), Error>> + Sync,
) -> PyResult<Vec<Result<(), Error>>> {
    /// The messages and the bytes of a portion.
    const MOST: usize = 1 << 14;
    const BYTES: usize = 64 << 20;
    let mut done = Vec::with_capacity(messages.len());
    let mut messages = messages.into_iter().peekable();
    while messages.peek().is_some() {
        let (mut portion, mut bytes) = (Vec::new(), 0_usize);
        while portion.len() < MOST && bytes < BYTES {
            let Some(message) = messages.next() else { break };
            bytes = bytes.saturating_add(length(&message));
            portion.push(message);
        }
        done.append(&mut py.detach(|| run(portion)));
        py.check_signals()?;
    }
    Ok(done)
}

/// The bytes of a message.
fn length(message: &Message<'_>) -> usize {
    match &message.work {
        Work::Hash(text, _) | Work::Mac(text, _) | Work::Verify(text, _) => text.len(),
        Work::Cipher(_, text) | Work::Seal(_, text, _) | Work::Open(_, text, _) => match text {
            Text::InPlace(text) => text.len(),
            Text::Apart(text, _) => text.len(),
        },
    }
}

/// Returns for each message another message with its IV and its key, if any. Keys are equal if they are the same object or
/// equal bytes.
fn twins(
    keys: &Each<Arc<Key>>,
    ivs: &Option<Each<Input>>,
    bytes: Option<&Bound<'_, PyAny>>,
    n: usize,
) -> PyResult<Vec<Option<usize>>> {
    let mut of_ivs: HashMap<&[u8], usize> = HashMap::with_capacity(n);
    let many = (0..n).any(|i| of_ivs.insert(at(ivs, i), i).is_some());
    if !many {
        return Ok(vec![None; n]);
    }
    let names = names(keys, bytes, n)?;
    let mut seen: HashMap<(u128, &[u8]), usize> = HashMap::with_capacity(n);
    let mut twins = vec![None; n];
    for i in 0..n {
        if let Some(before) = seen.insert((names[i], at(ivs, i)), i) {
            twins[i] = Some(before);
            twins[before].get_or_insert(i);
        }
    }
    Ok(twins)
}

/// Returns a number for each message's key; equal keys have equal numbers. The number reveals nothing of the key: it is a MAC
/// under a key of this call only.
fn names(keys: &Each<Arc<Key>>, bytes: Option<&Bound<'_, PyAny>>, n: usize) -> PyResult<Vec<u128>> {
    let address = |i| Arc::as_ptr(keys.get(i)) as usize as u128;
    let (Each::List(_), Some(list)) = (keys, bytes) else {
        return Ok((0..n).map(address).collect());
    };
    let py = list.py();
    let random = py.import("os")?.getattr("urandom")?.call1((32,))?.extract::<Input>()?;
    let omac =
        bulat::algorithm("kuznyechik-omac").and_then(|a| a.key(&Params::new(random.bytes())));
    let omac = omac.map_err(refused)?;
    let mut names: Vec<u128> = (0..n).map(address).collect();
    let (mut tags, mut inputs) = (Vec::new(), Vec::new());
    for (i, key) in sequence(list)?.iter().enumerate() {
        if let Ok(key) = key.extract::<Input>() {
            inputs.push((i, key));
            tags.push([0; 16]);
        }
    }
    let messages = inputs.iter().zip(&mut tags).map(|((_, key), tag)| Message {
        key: &omac,
        iv: &[],
        work: Work::Mac(key.bytes(), tag),
    });
    let _ = run(messages.collect());
    for ((i, _), tag) in inputs.iter().zip(&tags) {
        names[*i] = u128::from_le_bytes(*tag);
    }
    Ok(names)
}

/// A batch's arguments.
pub(crate) struct BatchArguments<'py> {
    name: Name,
    data: Bound<'py, PyAny>,
    keys: Option<Bound<'py, PyAny>>,
    ivs: Option<Bound<'py, PyAny>>,
    named: Named<'py>,
}

/// The arguments that are given only by name.
#[derive(Default)]
struct Named<'py> {
    associated_data: Option<Bound<'py, PyAny>>,
    tags: Option<Bound<'py, PyAny>>,
    decrypt: bool,
    into: Option<Bound<'py, PyAny>>,
    return_exceptions: bool,
    options: Options,
}

impl<'py> BatchArguments<'py> {
    /// Reads the arguments that are given by name to this function.
    pub(crate) fn new(
        function: &str,
        name: Name,
        data: Bound<'py, PyAny>,
        keys: Option<Bound<'py, PyAny>>,
        ivs: Option<Bound<'py, PyAny>>,
        given: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let mut named = Named::default();
        for (key, value) in given.into_iter().flatten() {
            let key: String = key.extract()?;
            if !named.set(&key, &value).map_err(|e| noted(value.py(), &key, e))? {
                let words = format!("{function} got an unexpected keyword argument '{key}'");
                return Err(PyTypeError::new_err(words));
            }
        }
        Ok(BatchArguments { name, data, keys, ivs, named })
    }

    /// Runs the messages by the given function.
    pub(crate) fn run(
        self,
        py: Python<'py>,
        run: impl FnOnce(Vec<Message<'_>>) -> PyResult<Vec<Result<(), Error>>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let return_exceptions = self.named.return_exceptions;
        let (inputs, mut outputs) = self.read(py)?;
        let made = match outputs.is_none() && inputs.tags.is_none() {
            true => inputs.made(py)?,
            false => Vec::new(),
        };
        let results = inputs.results(&made, outputs.as_deref_mut(), run)?;
        let first = results.iter().enumerate().find_map(|(i, result)| Some((i, result.err()?)));
        match first {
            Some((i, e)) if !return_exceptions => Err(inputs.refused(i, e)),
            _ => inputs.list(py, made, results),
        }
    }

    /// Refuses arguments that have no meaning for the algorithm.
    fn check(&self, algorithm: &Algorithm) -> PyResult<()> {
        let kind = algorithm.kind;
        let texts = kind == Kind::Cipher || kind == Kind::Aead;
        for (given, allowed, what) in [
            (self.keys.is_some(), kind != Kind::Hash, "keys"),
            (self.ivs.is_some(), kind != Kind::Hash, "ivs"),
            (self.named.associated_data.is_some(), kind == Kind::Aead, "associated_data"),
            (self.named.tags.is_some(), kind == Kind::Mac, "tags"),
            (self.named.decrypt, texts, "decrypt"),
            (self.named.into.is_some(), texts, "into"),
        ] {
            if given && !allowed {
                let words = format!("{what} does not apply to {}", algorithm.name);
                return Err(Class::InvalidInput.error(words));
            }
        }
        Ok(())
    }

    /// Reads the buffers of all messages, and prepares their keys.
    fn read(self, py: Python<'py>) -> PyResult<(Inputs, Option<Vec<Output>>)> {
        let algorithm = find(&self.name, &[Kind::Hash, Kind::Mac, Kind::Cipher, Kind::Aead])?;
        let data = inputs(&self.data)?;
        let n = data.len();
        self.check(algorithm)?;
        let Named { associated_data, tags, decrypt, into, options, .. } = self.named;
        let given = match self.keys {
            // An iterator gives its keys only once: collect them.
            Some(keys) if !single(&keys) => Some(PyList::new(py, sequence(&keys)?)?.into_any()),
            keys => keys,
        };
        let keys = keys(algorithm, given.clone(), n, &options)?;
        let ivs = each(self.ivs, n, "ivs")?;
        let encrypts = matches!(algorithm.kind, Kind::Cipher | Kind::Aead) && !decrypt;
        let twins = match &ivs {
            Some(_) if encrypts && n > 1 && !matches!(algorithm.iv, Iv::None) => {
                twins(&keys, &ivs, given.as_ref(), n)?
            }
            _ => vec![None; n],
        };
        let aads = each(associated_data, n, "associated_data")?;
        let tags = tags.map(|tags| matching(inputs(&tags)?, n, "tags")).transpose()?;
        let outputs = match into {
            Some(into) => {
                let all = into.try_iter()?.map(|item| item?.extract::<Output>());
                let all = matching(all.collect::<PyResult<Vec<_>>>()?, n, "into")?;
                apart(&all, &data, &[&ivs, &aads])?;
                Some(all)
            }
            None => None,
        };
        let inputs = Inputs { algorithm, options, decrypt, data, keys, ivs, aads, tags, twins };
        Ok((inputs, outputs))
    }
}

impl<'py> Named<'py> {
    /// Reads an argument. Returns false if there is none of this name.
    fn set(&mut self, key: &str, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        let options = &mut self.options;
        match key {
            "associated_data" => self.associated_data = value.extract()?,
            "tags" => self.tags = value.extract()?,
            "decrypt" => self.decrypt = value.extract()?,
            "into" => self.into = value.extract()?,
            "return_exceptions" => self.return_exceptions = value.extract()?,
            "tag_size" => options.tag_size = number(value.extract()?),
            "s" => options.s = number(value.extract()?),
            "section" => options.section = number(value.extract()?),
            "period" => options.period = number(value.extract()?),
            "sboxes" => options.sboxes = value.extract()?,
            "meshing" => options.meshing = value.extract()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Adds the name of an argument to an error, as for the arguments of a signature.
fn noted(py: Python<'_>, key: &str, e: PyErr) -> PyErr {
    let _ = e.value(py).call_method1("add_note", (format!("while processing '{key}'"),));
    e
}

/// All that the messages of a batch read.
struct Inputs {
    algorithm: &'static Algorithm,
    options: Options,
    decrypt: bool,
    data: Vec<Input>,
    keys: Each<Arc<Key>>,
    ivs: Option<Each<Input>>,
    aads: Option<Each<Input>>,
    tags: Option<Vec<Input>>,
    /// For each message another message with its IV and its key, if any.
    twins: Vec<Option<usize>>,
}

/// The place of a message's result.
enum Room<'a> {
    /// A new object's bytes.
    Made(&'a mut [u8]),
    /// A buffer of the caller.
    Given(&'a mut Output),
    /// A MAC is checked, and has none.
    None,
}

impl Inputs {
    /// The length of a sealed message's tag in bytes.
    fn tag_len(&self, i: usize) -> usize {
        if self.algorithm.kind == Kind::Aead { self.keys.get(i).tag_len() } else { 0 }
    }

    /// The length of a result in bytes; 0 for a sealed message that is too short.
    fn size(&self, i: usize) -> usize {
        match self.algorithm.kind {
            Kind::Hash => self.algorithm.out,
            Kind::Mac => self.keys.get(i).tag_len(),
            _ if self.decrypt => self.data[i].len().saturating_sub(self.tag_len(i)),
            _ => self.data[i].len().saturating_add(self.tag_len(i)),
        }
    }

    /// Makes the objects of the results.
    fn made<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        (0..self.data.len()).map(|i| PyBytes::new_with(py, self.size(i), |_| Ok(()))).collect()
    }

    /// Runs the messages. The new objects, or the buffers of the caller, get the results.
    fn results(
        &self,
        made: &[Bound<'_, PyBytes>],
        outputs: Option<&mut [Output]>,
        run: impl FnOnce(Vec<Message<'_>>) -> PyResult<Vec<Result<(), Error>>>,
    ) -> PyResult<Vec<Result<(), Error>>> {
        let n = self.data.len();
        // SAFETY: each object is new, distinct and not yet shared, and outlives the messages.
        let mut slices = made.iter().map(|bytes| unsafe {
            core::slice::from_raw_parts_mut(
                bytes.as_bytes().as_ptr().cast_mut(),
                bytes.as_bytes().len(),
            )
        });
        let mut outputs = outputs.into_iter().flatten();
        let mut results: Vec<Result<(), Error>> = vec![Ok(()); n];
        let (mut messages, mut numbers) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for (i, result) in results.iter_mut().enumerate() {
            let room = match (slices.next(), outputs.next()) {
                (Some(slice), _) => Room::Made(slice),
                (_, Some(output)) => Room::Given(output),
                _ => Room::None,
            };
            let work = match self.twins[i] {
                Some(_) => Err(Error::IvReuse),
                None => self.work(i, room)?,
            };
            match work {
                Ok(work) => {
                    messages.push(Message { key: self.keys.get(i), iv: at(&self.ivs, i), work });
                    numbers.push(i);
                }
                Err(e) => *result = Err(e),
            }
        }
        let done = run(messages)?;
        numbers.into_iter().zip(done).for_each(|(i, result)| results[i] = result);
        Ok(results)
    }

    /// Returns the work of a message, or why it has none.
    fn work<'a>(&'a self, i: usize, room: Room<'a>) -> PyResult<Result<Work<'a>, Error>> {
        let source = self.data[i].bytes();
        match (self.algorithm.kind, room, &self.tags) {
            (Kind::Mac, _, Some(tags)) => Ok(Ok(Work::Verify(source, tags[i].bytes()))),
            (Kind::Hash, Room::Made(out), _) => Ok(Ok(Work::Hash(source, out))),
            (Kind::Mac, Room::Made(out), _) => Ok(Ok(Work::Mac(source, out))),
            (_, room, _) => self.text(i, room),
        }
    }

    /// Returns the work of a text that is encrypted or decrypted.
    fn text<'a>(&'a self, i: usize, room: Room<'a>) -> PyResult<Result<Work<'a>, Error>> {
        let source = self.data[i].bytes();
        let tag_len = if self.decrypt { self.tag_len(i) } else { 0 };
        // A message shorter than a tag cannot be authentic.
        let Some(len) = source.len().checked_sub(tag_len) else { return Ok(Err(Error::Verify)) };
        let (text, tag) = match room {
            Room::Given(output) if output.len() != self.size(i) => {
                return Ok(Err(Error::BufferLength));
            }
            Room::Given(output) => through(&self.data[i], output, len)?,
            Room::Made(out) => {
                let (out, tag) = out.split_at_mut(len);
                (Text::Apart(&source[..len], out), tag)
            }
            Room::None => return Ok(Err(Error::BufferLength)),
        };
        let aad = at(&self.aads, i);
        Ok(Ok(match (self.algorithm.kind, self.decrypt) {
            (Kind::Aead, false) => Work::Seal(aad, text, tag),
            (Kind::Aead, true) => Work::Open(aad, text, &source[len..]),
            (_, false) => Work::Cipher(Direction::Encrypt, text),
            (_, true) => Work::Cipher(Direction::Decrypt, text),
        }))
    }

    /// Returns the exception of a message.
    fn refused(&self, i: usize, e: Error) -> PyErr {
        match (e, self.twins[i]) {
            (Error::IvReuse, Some(j)) => {
                let words = format!("messages {} and {}: one IV under one key", i.min(j), i.max(j));
                Class::InvalidInput.error(words)
            }
            (Error::BufferLength, _) => Class::InvalidInput
                .error(format_args!("into: message {i} needs {} bytes", self.size(i))),
            _ => {
                let lengths =
                    Lengths::default().iv(at(&self.ivs, i).len()).data(self.data[i].len());
                let e = if self.tags.is_some() { not_right(e) } else { e };
                explained(e, self.algorithm, lengths, &self.options)
            }
        }
    }

    /// Makes the list of the results and the exceptions.
    fn list<'py>(
        &self,
        py: Python<'py>,
        made: Vec<Bound<'py, PyBytes>>,
        results: Vec<Result<(), Error>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut made = made.into_iter();
        for (i, result) in results.into_iter().enumerate() {
            match (result, made.next()) {
                (Err(e), _) => list.append(self.refused(i, e).into_value(py))?,
                (Ok(()), Some(made)) => list.append(made)?,
                (Ok(()), None) if self.tags.is_some() => list.append(true)?,
                (Ok(()), None) => list.append(self.size(i))?,
            }
        }
        Ok(list)
    }
}
