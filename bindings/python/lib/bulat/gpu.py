"""GPUs: arrays in their memory, and batches on processor and devices.

A part of the package that is asked for: `pip install ./bindings/python -C build-args="--features gpu"`. Drivers of CUDA and OpenCL are
looked for when `devices` is called. Without any it gives an empty list, and `remarks` says what was looked for.

====================  ==========================================================================
what there is         `devices`, `remarks`
arrays on a device    `Device.encrypt`, `decrypt`, `hash`, `mac`
data of the host      `Engine.batch`, as `bulat.batch`
====================  ==========================================================================

A card that fails raises `DeviceError`; an array that does not fit raises what a buffer does.
"""

from __future__ import annotations

try:
    from ._bulat import Device, Engine, gpu_devices
except ImportError:
    raise ImportError('bulat was built without GPUs: pip install ./bindings/python -C build-args="--features gpu"') from None

from ._errors import DeviceError

__all__ = ["Device", "DeviceError", "Engine", "devices", "remarks"]


def devices() -> list[Device]:
    """The devices that answer: those of CUDA, then those of OpenCL that CUDA has not."""
    return gpu_devices()[0]


def remarks() -> list[str]:
    """Why a driver has no device, in words."""
    return gpu_devices()[1]
