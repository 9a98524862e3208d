//! The native half of the provider Bulat: the calls of the Java class `Native`, over `bulat::algorithm`.
//!
//! A context is one algorithm, its key and its present message. Java has its address, lets one thread at a time use it
//! and frees it once: the class `Context` holds these duties. Results are numbers; a negative number is an error's.
//!
//! | file | contents |
//! |---|---|
//! | `border.rs` | arrays, direct buffers, numbers, panics |
//! | `context.rs` | contexts: keys and messages |
//! | `many.rs` | many messages in one call |
//! | `named.rs` | the table as text; key derivation and wraps |
//! | `../../c/src/wiping.rs` | the allocator, which wipes memory before it frees it |

mod border;
mod context;
mod many;
mod named;
#[path = "../../c/src/wiping.rs"]
mod wiping;

/// Defines calls of the class `Native`; after `on`, the name of the context that a call works on.
macro_rules! natives {
    ($($(#[$doc:meta])* fn $name:ident($env:ident $(on $context:ident)? $(, $arg:ident: $type:ty)* $(,)?) -> $out:ty $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// Only the Java class calls it: with this thread's environment, references of the declared types, and
        /// contexts that are alive and that no other thread uses.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "system" fn $name(
            env: *mut jni_sys::JNIEnv,
            _class: jni_sys::jclass
            $(, $context: jni_sys::jlong)?
            $(, $arg: $type)*
        ) -> $out {
            // SAFETY: Java passes the environment of the running call.
            let $env = unsafe { crate::border::Env::new(env) };
            crate::border::guard::<$out>(|| {
                // SAFETY: the context is alive and used only here, as this function requires.
                $(let $context = unsafe { crate::context::Context::at($context)? };)?
                $body
            })
        }
    )*};
}
pub(crate) use natives;

/// Returns a line of the table of algorithms.
pub(crate) fn line(
    i: jni_sys::jint,
) -> Result<&'static bulat::algorithm::Algorithm, border::Fault> {
    let line = usize::try_from(i).ok().and_then(|i| bulat::algorithm::ALGORITHMS.get(i));
    line.ok_or(border::Fault::Internal)
}
