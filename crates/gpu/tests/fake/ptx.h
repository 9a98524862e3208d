// Runs kernels in PTX on the processor.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct kernel {
  char name[64];
  int threads;             // in a block, as declared
  int count;               // of parameters
  int at[16], size[16];    // where each is
  int parameters, shared;  // bytes
  struct code* code;
  struct kernel* next;
};

// Returns the kernels of a program.
struct kernel* ptx_read(const char* text);
// Runs a kernel. Its loads and stores must lie in memory that `fake_inside` knows.
void ptx_run(const struct kernel* k, const uint8_t* parameters, uint32_t blocks, int device);

// The driver's part: returns whether bytes lie in memory allocated on the device.
int fake_inside(uint64_t at, size_t bytes, int device);
// Prints an error, and ends the process.
_Noreturn void fake_stop(const char* format, ...);
