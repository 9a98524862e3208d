//! Result codes and their messages.

use core::ffi::{c_char, c_int};

use crate::border::guard_value;
use bulat::Error;

/// The result of a call. Codes never change their meaning; more may be added.
pub type bulat_result = c_int;

macro_rules! results {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $message:literal $(, $error:ident)?;)*) => {
        $($(#[$doc])* pub const $name: bulat_result = $code;)*
        /// All codes with their messages.
        pub(crate) const RESULTS: &[(bulat_result, &str, &core::ffi::CStr)] = &[
            $(($code, stringify!($name), $message),)*
        ];
        pub(crate) fn code(error: Error) -> bulat_result {
            match error {
                $($(Error::$error => $name,)?)*
                _ => BULAT_ERR_INTERNAL,
            }
        }
    };
}

results! {
    /// Success.
    BULAT_OK = 0, c"success";
    /// The key does not have a length that the algorithm accepts.
    BULAT_ERR_KEY_LENGTH = 1, c"wrong key length", KeyLength;
    /// The IV, nonce, UKM or tweak does not have a length that the algorithm accepts.
    BULAT_ERR_IV_LENGTH = 2, c"wrong IV length", IvLength;
    /// The tag does not have the length of the key's tags, or that length is not allowed.
    BULAT_ERR_TAG_LENGTH = 3, c"wrong tag length", TagLength;
    /// The first bit of MGM's nonce must be 0.
    BULAT_ERR_NONCE = 4, c"the first bit of the nonce must be 0", Nonce;
    /// Two messages of one call have one IV under one key. No call of this version checks this, not even bulat_batch:
    /// the caller must use different IVs.
    BULAT_ERR_IV_REUSE = 5, c"two messages with the same IV", IvReuse;
    /// An option is outside the standard's range, means nothing to the algorithm, or is missing; or a reserved field is
    /// not 0.
    BULAT_ERR_PARAMETER = 6, c"parameter outside the standard's range", Parameter;
    /// An S-box row is not a permutation of 0 to 15.
    BULAT_ERR_SBOX = 7, c"an S-box row is not a permutation", Sbox;
    /// Two keys that must differ are equal.
    BULAT_ERR_EQUAL_KEYS = 8, c"the two keys must differ", EqualKeys;
    /// The output does not have the required length, or is too short.
    BULAT_ERR_BUFFER_LENGTH = 9, c"wrong buffer length", BufferLength;
    /// The data is not a whole number of blocks, too short, or longer than any object can be.
    BULAT_ERR_DATA_LENGTH = 10, c"wrong data length", DataLength;
    /// More data than the standard allows under one key or nonce.
    BULAT_ERR_LIMIT = 11, c"more data than the standard allows under one key or nonce", Limit;
    /// Neither text nor associated data.
    BULAT_ERR_EMPTY = 12, c"nothing to authenticate", Empty;
    /// The message has ended: reset the context before the next message.
    BULAT_ERR_FINISHED = 13, c"already finished", Finished;
    /// The call does not belong to this algorithm or direction, or comes too late.
    BULAT_ERR_ORDER = 14, c"operation out of order", Order;
    /// The tag, the MAC or the wrapped key is wrong.
    BULAT_ERR_VERIFY = 15, c"authentication failed", Verify;
    /// The padding is malformed, or there is no room for padding.
    BULAT_ERR_PADDING = 16, c"wrong padding", Padding;
    /// No algorithm of this name, or this call cannot use it.
    BULAT_ERR_UNKNOWN_ALGORITHM = 17, c"unknown algorithm", UnknownAlgorithm;
    /// No kernel of this name, or this machine cannot run it.
    BULAT_ERR_UNKNOWN_KERNEL = 18, c"unknown or unavailable kernel", UnknownKernel;
    /// A pointer is null, but must not be.
    BULAT_ERR_NULL = 64, c"null pointer";
    /// A pointer to an object or a structure is not aligned.
    BULAT_ERR_ALIGNMENT = 65, c"misaligned pointer";
    /// Buffers overlap, but must not.
    BULAT_ERR_OVERLAP = 66, c"overlapping buffers";
    /// At least one job of a batch failed: see its own code.
    BULAT_ERR_JOB = 67, c"a job of the batch failed";
    /// The system provides no threads.
    BULAT_ERR_THREADS = 68, c"the system provides no threads";
    /// The self-test found a wrong answer.
    BULAT_ERR_SELFTEST = 69, c"the self-test found a wrong answer";
    /// The password is wrong, or the data is damaged: a file under a password cannot tell these apart.
    BULAT_ERR_PASSWORD = 70, c"wrong password, or the data is damaged";
    /// The structure of a file is damaged, or the file has a different format. No password was used.
    BULAT_ERR_DAMAGED = 71, c"damaged, or not of this format";
    /// A file has an algorithm or a form that is unknown or not supported; bulat_pkcs_reason() names it.
    BULAT_ERR_UNSUPPORTED = 72, c"unknown or unsupported algorithm in the file";
    /// A file needs more work than the limits allow. The work was not begun.
    BULAT_ERR_COST = 73, c"the file needs more work than the limits allow";
    /// A PFX has no MAC, so that anyone may have changed it.
    BULAT_ERR_NO_MAC = 74, c"the file has no MAC";
    /// The system gives no random numbers.
    BULAT_ERR_RANDOM = 75, c"the system gives no random numbers";
    /// A bug in the library: please report it. Free the object of the call and do not use it again.
    BULAT_ERR_INTERNAL = 127, c"internal error";
}

/// Returns the message of a code: a constant string, never null.
#[unsafe(no_mangle)]
pub extern "C" fn bulat_result_message(result: bulat_result) -> *const c_char {
    guard_value(c"unknown result".as_ptr(), || {
        let known = RESULTS.iter().find(|(code, ..)| *code == result);
        known.map_or(c"unknown result", |(.., message)| message).as_ptr()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_messages_are_distinct_and_are_the_librarys() {
        for (i, (a, name, words)) in RESULTS.iter().enumerate() {
            assert!(RESULTS[..i].iter().all(|(b, _, other)| a != b && words != other), "{name}");
        }
        for error in [Error::Verify, Error::Limit, Error::UnknownKernel, Error::Nonce] {
            // SAFETY: the messages are constant strings that end with a zero byte.
            let words = unsafe { core::ffi::CStr::from_ptr(bulat_result_message(code(error))) };
            assert_eq!(words.to_str().unwrap(), error.to_string());
        }
    }
}
