//! One JSON line for each request, values as HMAC; where it cannot be written, nothing is answered.
