//! Sessions over the four shapes of modes and over a hash.

use alloc::boxed::Box;

use super::Session;
use crate::modes::{Aead, Blocks, Gamma, Mac};
use crate::{Direction, Error, Gost94, InOut, Streebog};

/// Boxes a session so that after `finish`, `verify` or `open` it answers [`Error::Finished`] to
/// everything until it is reset, whatever the mode under it does.
pub(super) fn boxed(session: impl Session + Clone + 'static) -> Result<Box<dyn Session>, Error> {
    Ok(Box::new(Once { session, finished: false }))
}

#[derive(Clone)]
struct Once<S> {
    session: S,
    finished: bool,
}

impl<S: Session> Once<S> {
    fn live(&mut self) -> Result<&mut S, Error> {
        if self.finished { Err(Error::Finished) } else { Ok(&mut self.session) }
    }
    /// Notes the end: an answer, or a verdict that must not be asked for twice.
    fn end<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        self.finished = matches!(result, Ok(_) | Err(Error::Verify | Error::Padding));
        result
    }
}

impl<S: Session + Clone + 'static> Session for Once<S> {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.live()?.aad(aad)
    }
    fn absorb(&mut self, data: &[u8]) -> Result<(), Error> {
        self.live()?.absorb(data)
    }
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        self.live()?.update(data)
    }
    fn finish_len(&self) -> usize {
        self.session.finish_len()
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let result = self.live()?.finish(out);
        self.end(result)
    }
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        let result = self.live()?.verify(tag);
        self.end(result)
    }
    fn open(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error> {
        let result = self.live()?.open(text, tag);
        self.end(result)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.session.reset(iv)?;
        self.finished = false;
        Ok(())
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// What a session needs of a hash function.
pub(super) trait Hash: Clone + Send + 'static {
    const OUT: usize;
    fn update(&mut self, data: &[u8]);
    fn finish(&self, out: &mut [u8]);
    fn reset(&mut self);
}

macro_rules! hash {
    ($hash:ty, $out:expr $(, $n:ident)?) => {
        impl$(<const $n: usize>)? Hash for $hash {
            const OUT: usize = $out;
            fn update(&mut self, data: &[u8]) {
                <$hash>::update(self, data);
            }
            fn finish(&self, out: &mut [u8]) {
                out.copy_from_slice(&<$hash>::finish(self));
            }
            fn reset(&mut self) {
                <$hash>::reset(self);
            }
        }
    };
}
hash!(Streebog<N>, N, N);
hash!(Gost94, 32);

/// A session over a hash.
#[derive(Clone)]
pub struct HashSession<H>(pub H);

impl<H: Hash> Session for HashSession<H> {
    fn absorb(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.update(data);
        Ok(())
    }
    fn finish_len(&self) -> usize {
        H::OUT
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.0.finish(out.get_mut(..H::OUT).ok_or(Error::BufferLength)?);
        Ok(H::OUT)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        if !iv.is_empty() {
            return Err(Error::IvLength);
        }
        self.0.reset();
        Ok(())
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// A session over a [`Gamma`] mode.
#[derive(Clone)]
pub struct GammaSession<M>(pub M);

impl<M: Gamma + 'static> Session for GammaSession<M> {
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let n = data.len();
        self.0.apply(data).map(|()| n)
    }
    fn finish_len(&self) -> usize {
        0
    }
    fn finish(&mut self, _out: &mut [u8]) -> Result<usize, Error> {
        Ok(0)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// A session over a [`Blocks`] mode.
#[derive(Clone)]
pub struct BlocksSession<M>(pub M);

impl<M: Blocks + 'static> Session for BlocksSession<M> {
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        self.0.update(data)
    }
    fn finish_len(&self) -> usize {
        M::HELD
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.0.finish(out)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// A session over a [`Mac`].
#[derive(Clone)]
pub struct MacSession<M>(pub M);

impl<M: Mac + 'static> Session for MacSession<M> {
    fn absorb(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.update(data)
    }
    fn finish_len(&self) -> usize {
        self.0.tag_len()
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let n = self.0.tag_len();
        self.0.finish(out.get_mut(..n).ok_or(Error::BufferLength)?).map(|()| n)
    }
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        self.0.verify(tag)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

/// A session over an [`Aead`], for one direction: only [`Session::open`] decrypts, so that nothing comes
/// out before the tag is checked.
#[derive(Clone)]
pub struct AeadSession<M> {
    /// The mode.
    pub mode: M,
    /// Sealing or opening; the calls of the other answer [`Error::Order`].
    pub direction: Direction,
}

impl<M> AeadSession<M> {
    fn toward(&mut self, direction: Direction) -> Result<&mut M, Error> {
        if self.direction == direction { Ok(&mut self.mode) } else { Err(Error::Order) }
    }
}

impl<M: Aead + 'static> Session for AeadSession<M> {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.mode.aad(aad)
    }
    fn update(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let n = data.len();
        self.toward(Direction::Encrypt)?.seal(data).map(|()| n)
    }
    fn finish_len(&self) -> usize {
        self.mode.tag_len()
    }
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let n = self.mode.tag_len();
        let tag = out.get_mut(..n).ok_or(Error::BufferLength)?;
        self.toward(Direction::Encrypt)?.finish(tag).map(|()| n)
    }
    fn open(&mut self, text: InOut<'_, '_>, tag: &[u8]) -> Result<(), Error> {
        self.toward(Direction::Decrypt)?.open(text, tag)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.mode.reset(iv)
    }
    fn dup(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}
