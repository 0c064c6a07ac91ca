"""What the observe kernels of all games write with."""

from tablezoo.compiling import kernel


@kernel
def copy(source, out, at):
    """Copy all of ``source``; a bound that is known only at run time lets LLVM copy many bytes at once."""
    for i in range(min(source.size, out.size - at)):
        out[at + i] = source[i]
