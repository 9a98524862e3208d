"""GPUs: arrays in their memory, and batches on processor and devices.

This part of the package is optional: `pip install ./bindings/python -C build-args="--features gpu"`. `devices` looks for
drivers of CUDA and OpenCL. Without any it returns an empty list, and `remarks` names the libraries that it tried.

====================  ==========================================================================
information           `devices`, `remarks`
arrays on a device    `Device.encrypt`, `decrypt`, `hash`, `mac`
data of the host      `Engine.batch`, as `bulat.batch`
====================  ==========================================================================

A failing card raises `DeviceError`; an invalid array raises the exceptions of an invalid buffer.
"""

from __future__ import annotations

try:
    from ._bulat import Device, Engine, gpu_devices
except ImportError:
    raise ImportError('bulat was built without GPUs: pip install ./bindings/python -C build-args="--features gpu"') from None

from ._errors import DeviceError

__all__ = ["Device", "DeviceError", "Engine", "devices", "remarks"]


def devices() -> list[Device]:
    """Returns the working devices: CUDA's, then the others of OpenCL."""
    return gpu_devices()[0]


def remarks() -> list[str]:
    """Returns the reasons that drivers have no device."""
    return gpu_devices()[1]
