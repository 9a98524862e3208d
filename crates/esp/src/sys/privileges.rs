//! Rights that the program gives up once its devices are open: root, capabilities, core dumps, and system calls that it
//! does not need.

use std::ffi::CString;
use std::io;
use std::ptr::{null, null_mut};

use libc::{c_int, c_long, c_ulong};

use super::checked;

/// A user of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    /// The user's number.
    pub user: u32,
    /// The number of the user's group.
    pub group: u32,
}

/// Looks a user up by name. Errors: the system's answer; [`io::ErrorKind::NotFound`] without such a user.
pub fn find(name: &str) -> io::Result<User> {
    let name = CString::new(name).map_err(|_| io::ErrorKind::InvalidInput)?;
    let (mut buffer, mut found) = (vec![0; 16 << 10], null_mut());
    // SAFETY: zeros are a valid `passwd`.
    let mut entry: libc::passwd = unsafe { std::mem::zeroed() };
    let (at, len) = (buffer.as_mut_ptr(), buffer.len());
    // SAFETY: the name ends with 0; entry, buffer and answer live during the call.
    let error = unsafe { libc::getpwnam_r(name.as_ptr(), &raw mut entry, at, len, &raw mut found) };
    match (error, found.is_null()) {
        (0, false) => Ok(User { user: entry.pw_uid, group: entry.pw_gid }),
        (0, true) => Err(io::ErrorKind::NotFound.into()),
        (error, _) => Err(io::Error::from_raw_os_error(error)),
    }
}

/// Calls prctl with numbers.
fn control(what: c_int, arguments: [c_ulong; 2]) -> io::Result<()> {
    let [a, b] = arguments;
    // SAFETY: the calls here have numbers as arguments.
    checked(unsafe { libc::prctl(what, a, b, 0 as c_ulong, 0 as c_ulong) }).map(drop)
}

/// Forbids core dumps, and tracing by other users.
pub fn no_dumps() -> io::Result<()> {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit lives during the call.
    checked(unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) })?;
    control(libc::PR_SET_DUMPABLE, [0, 0])
}

/// Keeps the program's memory out of swap. Only root can without limits: returns whether it is so.
pub fn lock_memory() -> bool {
    let all = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // A page is locked when it is first used: stacks of threads are mostly unused. Without the limit raised, later
    // memory would be refused.
    let flags = libc::MCL_CURRENT | libc::MCL_FUTURE | libc::MCL_ONFAULT;
    // SAFETY: the limit lives during the call.
    unsafe {
        libc::setrlimit(libc::RLIMIT_MEMLOCK, &raw const all) == 0 && libc::mlockall(flags) == 0
    }
}

/// Becomes the user, if the program is root, and gives up all capabilities, now and for programs that it would start.
/// Called before threads start.
pub fn become_user(user: Option<User>) -> io::Result<()> {
    // Each known capability; the system answers EINVAL after the last, and EPERM to a user without that right, for whom
    // no_new_privs does it.
    let mut capability = 0;
    while control(libc::PR_CAPBSET_DROP, [capability, 0]).is_ok() && capability < 64 {
        capability += 1;
    }
    if let Some(User { user, group }) = user {
        // SAFETY: the list is empty.
        checked(unsafe { libc::setgroups(0, null()) })?;
        // SAFETY: the arguments are numbers.
        checked(unsafe { libc::setresgid(group, group, group) })?;
        // SAFETY: the arguments are numbers.
        checked(unsafe { libc::setresuid(user, user, user) })?;
    }
    let clear = [libc::PR_CAP_AMBIENT_CLEAR_ALL as c_ulong, 0];
    control(libc::PR_CAP_AMBIENT, clear)?;
    // _LINUX_CAPABILITY_VERSION_3 and this process; three sets of two words each.
    let (header, none) = ([0x2008_0522_u32, 0], [0u32; 6]);
    // SAFETY: both are as the call's version 3 has them, and live during the call.
    let answer = unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) };
    checked(answer)?;
    control(libc::PR_SET_NO_NEW_PRIVS, [1, 0])
}

/// A system call that the program may make.
#[derive(Clone, Copy)]
struct Allowed {
    call: c_long,
    /// An argument that must have a value in these bits: number, bits, value.
    only: Option<(u32, u32, u32)>,
}

const fn any(call: c_long) -> Allowed {
    Allowed { call, only: None }
}

const fn only(call: c_long, argument: u32, bits: u32, value: u32) -> Allowed {
    Allowed { call, only: Some((argument, bits, value)) }
}

/// The mark of the processor in a filter's input.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
const PROCESSOR: Option<u32> = Some(0xc000_003e);
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_pointer_width = "64"))]
const PROCESSOR: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(
    all(target_arch = "x86_64", target_pointer_width = "64"),
    all(target_arch = "aarch64", target_endian = "little", target_pointer_width = "64")
)))]
const PROCESSOR: Option<u32> = None;

/// The system calls of the running threads, the most frequent first.
const ALLOWED: &[Allowed] = &[
    // Packets.
    any(libc::SYS_read),
    any(libc::SYS_writev),
    any(libc::SYS_sendmmsg),
    any(libc::SYS_recvmmsg),
    #[cfg(target_arch = "x86_64")]
    any(libc::SYS_poll),
    any(libc::SYS_ppoll),
    any(libc::SYS_futex),
    any(libc::SYS_clock_gettime),
    any(libc::SYS_write),
    // The MTU of a path: a socket of ours is connected to the peer. Fragments for IKE.
    any(libc::SYS_connect),
    any(libc::SYS_getsockopt),
    only(libc::SYS_setsockopt, 1, u32::MAX, libc::IPPROTO_IP as u32),
    only(libc::SYS_setsockopt, 1, u32::MAX, libc::IPPROTO_IPV6 as u32),
    // The control socket, the kernel's messages, signals.
    any(libc::SYS_accept4),
    any(libc::SYS_recvfrom),
    any(libc::SYS_sendto),
    any(libc::SYS_recvmsg),
    any(libc::SYS_close),
    // The standard library, with debug assertions, before it closes.
    only(libc::SYS_fcntl, 1, u32::MAX, libc::F_GETFD as u32),
    any(libc::SYS_rt_sigreturn),
    any(libc::SYS_rt_sigprocmask),
    any(libc::SYS_restart_syscall),
    any(libc::SYS_getrandom),
    // Memory, never executable.
    any(libc::SYS_brk),
    only(libc::SYS_mmap, 2, libc::PROT_EXEC as u32, 0),
    only(libc::SYS_mprotect, 2, libc::PROT_EXEC as u32, 0),
    any(libc::SYS_munmap),
    any(libc::SYS_mremap),
    any(libc::SYS_madvise),
    // Threads that begin, wait or end.
    any(libc::SYS_clock_nanosleep),
    any(libc::SYS_nanosleep),
    any(libc::SYS_sched_yield),
    any(libc::SYS_sched_getaffinity),
    any(libc::SYS_set_robust_list),
    any(libc::SYS_rseq),
    any(libc::SYS_sigaltstack),
    any(libc::SYS_gettid),
    any(libc::SYS_getpid),
    only(libc::SYS_prctl, 0, u32::MAX, libc::PR_SET_NAME as u32),
    // Names of memory, in newer C libraries.
    only(libc::SYS_prctl, 0, u32::MAX, libc::PR_SET_VMA as u32),
    any(libc::SYS_exit),
    any(libc::SYS_exit_group),
    // abort.
    any(libc::SYS_tgkill),
    any(libc::SYS_rt_sigaction),
];

/// Instructions of a filter.
fn filter(processor: u32, allowed: &[Allowed]) -> Vec<libc::sock_filter> {
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    // Loads a word of the input: 0 is the call's number, 4 the processor, 16 the first argument.
    let load = |at: u32| statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, at);
    // Skips instructions if the word is another.
    let equal = |k: u32, skip: u8| libc::sock_filter {
        code: (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16,
        jt: 0,
        jf: skip,
        k,
    };
    let end = |answer: u32| statement(libc::BPF_RET | libc::BPF_K, answer);
    let mut program = vec![load(4), equal(processor, 1), load(0)];
    // Another processor's numbers mean other calls.
    program[1] = libc::sock_filter { jt: 1, jf: 0, ..equal(processor, 0) };
    program.insert(2, end(libc::SECCOMP_RET_KILL_PROCESS));
    for Allowed { call, only } in allowed {
        match only {
            None => program.extend([equal(*call as u32, 1), end(libc::SECCOMP_RET_ALLOW)]),
            Some((argument, bits, value)) => program.extend([
                equal(*call as u32, 5),
                load(16 + 8 * argument),
                statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, *bits),
                equal(*value, 1),
                end(libc::SECCOMP_RET_ALLOW),
                load(0),
            ]),
        }
    }
    program.push(end(libc::SECCOMP_RET_KILL_PROCESS));
    program
}

/// Ends the process at its first system call that is not on the list, from now on, in all threads. Errors: the system's
/// answer; [`io::ErrorKind::Unsupported`] for a processor without a list.
pub fn filter_calls() -> io::Result<()> {
    let processor = PROCESSOR.ok_or(io::ErrorKind::Unsupported)?;
    let mut program = filter(processor, ALLOWED);
    let program =
        libc::sock_fprog { len: program.len() as libc::c_ushort, filter: program.as_mut_ptr() };
    control(libc::PR_SET_NO_NEW_PRIVS, [1, 0])?;
    let (what, flags) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_TSYNC);
    // SAFETY: the program and its instructions live during the call.
    let answer = unsafe { libc::syscall(libc::SYS_seccomp, what, flags, &raw const program) };
    match answer {
        0 => Ok(()),
        // The number of a thread that cannot follow.
        1.. => Err(io::Error::other("a thread has another filter")),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a filter as the kernel does.
    fn judge(program: &[libc::sock_filter], words: &dyn Fn(u32) -> u32) -> u32 {
        let (mut at, mut word) = (0, 0);
        loop {
            let libc::sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            match u32::from(code) {
                c if c == libc::BPF_LD | libc::BPF_W | libc::BPF_ABS => word = words(k),
                c if c == libc::BPF_ALU | libc::BPF_AND | libc::BPF_K => word &= k,
                c if c == libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K => {
                    at += usize::from(if word == k { jt } else { jf });
                }
                c if c == libc::BPF_RET | libc::BPF_K => return k,
                code => panic!("{code}"),
            }
        }
    }

    #[test]
    fn a_filter_passes_its_list() {
        let allowed =
            [any(7), only(9, 2, 4, 0), only(11, 1, u32::MAX, 41), only(11, 1, u32::MAX, 0)];
        let program = filter(77, &allowed);
        let run = |processor, call, argument: u32, value| {
            let words = |at: u32| match at {
                0 => call,
                4 => processor,
                _ if at == 16 + 8 * argument => value,
                _ => 0xdead,
            };
            judge(&program, &words) == libc::SECCOMP_RET_ALLOW
        };
        for (processor, call, argument, value, want) in [
            (77, 7, 0, 0, true),
            (78, 7, 0, 0, false),
            (77, 8, 0, 0, false),
            (77, 0x4000_0007, 0, 0, false),
            (77, 9, 2, 3, true),
            (77, 9, 2, 7, false),
            (77, 11, 1, 41, true),
            (77, 11, 1, 0, true),
            (77, 11, 1, 1, false),
        ] {
            assert_eq!(run(processor, call, argument, value), want, "{call} {value}");
        }
    }
}
