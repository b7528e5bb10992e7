"""The CUDA driver through ctypes: what this script needs of it, and nothing of Shapewright's own code."""

import ctypes
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

# Attributes of a kernel.
MAX_DYNAMIC_SHARED = 8
NON_PORTABLE_CLUSTERS = 14


class DriverError(Exception):
    """A call that failed, with its name and what the driver says."""

    def __init__(self, call, status, name):
        super().__init__(f"{call} gave {name} ({status})")
        self.status = status
        self.name = name


class Driver:
    """The driver, with the primary context of a device."""

    def __init__(self, ordinal=0):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", c_uint(0))
        device = c_int()
        self.call("cuDeviceGet", byref(device), c_int(ordinal))
        self.device = device
        self.context = c_void_p()
        self.call("cuDevicePrimaryCtxRetain", byref(self.context), device)
        self.call("cuCtxSetCurrent", self.context)

    def close(self):
        self.call("cuDevicePrimaryCtxRelease_v2", self.device)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            text = c_char_p()
            self.library.cuGetErrorName(c_int(status), byref(text))
            raise DriverError(name, status, text.value.decode() if text.value else "an unknown error")

    def version(self):
        number = c_int()
        self.call("cuDriverGetVersion", byref(number))
        return f"{number.value // 1000}.{number.value % 1000 // 10}"

    def name(self):
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, c_int(256), self.device)
        return text.value.decode()

    def attribute(self, number):
        """A number of the device, or None where the driver does not tell it."""
        value = c_int()
        try:
            self.call("cuDeviceGetAttribute", byref(value), c_int(number), self.device)
        except DriverError:
            return None
        return value.value

    def memory(self):
        """The free and the total bytes."""
        free, total = c_size_t(), c_size_t()
        self.call("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value, total.value

    def allocate(self, size):
        address = c_uint64()
        self.call("cuMemAlloc_v2", byref(address), c_size_t(size))
        return address.value

    def free(self, address):
        self.call("cuMemFree_v2", c_uint64(address))

    def upload(self, address, data):
        self.call("cuMemcpyHtoD_v2", c_uint64(address), bytes(data), c_size_t(len(data)))

    def download(self, address, size):
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, c_uint64(address), c_size_t(size))
        return data.raw

    def synchronize(self):
        self.call("cuCtxSynchronize")

    def load(self, code):
        module = c_void_p()
        self.call("cuModuleLoadData", byref(module), code)
        return module

    def unload(self, module):
        self.call("cuModuleUnload", module)

    def function(self, module, name):
        function = c_void_p()
        self.call("cuModuleGetFunction", byref(function), module, name.encode())
        return function

    def launch(self, function, grid, block, arguments, shared=0):
        """Launches a kernel of one dimension; `arguments` are values of ctypes. The code says its clusters by itself."""
        addresses = (c_void_p * max(1, len(arguments)))(*[ctypes.addressof(value) for value in arguments])
        one = c_uint(1)
        sides = [c_uint(grid), one, one, c_uint(block), one, one]
        self.call("cuLaunchKernel", function, *sides, c_uint(shared), None, addresses, None)

    def allow(self, function, shared, is_large_cluster):
        """Allows a kernel what no kernel gets by itself."""
        if shared > 48 << 10:
            self.call("cuFuncSetAttribute", function, c_int(MAX_DYNAMIC_SHARED), c_int(shared))
        if is_large_cluster:
            self.call("cuFuncSetAttribute", function, c_int(NON_PORTABLE_CLUSTERS), c_int(1))

    def milliseconds(self, work, repetitions):
        """The time of each of several calls of `work` on the device, after one that is not counted."""
        work()
        events = []
        for _ in range(repetitions + 1):
            event = c_void_p()
            self.call("cuEventCreate", byref(event), c_uint(0))
            events.append(event)
        self.call("cuEventRecord", events[0], None)
        for event in events[1:]:
            work()
            self.call("cuEventRecord", event, None)
        self.call("cuEventSynchronize", events[-1])
        times = []
        for before, after in zip(events, events[1:]):
            time = c_float()
            self.call("cuEventElapsedTime", byref(time), before, after)
            times.append(time.value)
        for event in events:
            self.call("cuEventDestroy_v2", event)
        return times
