#include "roofline/performed_work.h"

namespace cudabench::roofline {

using counters::Quantity;

Work performed_work(const counters::Counts& counts, const Admitted& admitted, const Peaks& peaks) {
    Work work;
    work.fp32 = counts.of(Quantity::fp32);
    if (admitted.fp64)
        work.fp64 = counts.of(Quantity::fp64);
    if (admitted.tensor && peaks.tensor_fp16 > 0)
        work.tensor =
            counts.of(Quantity::tensor_tf32) + counts.of(Quantity::tensor_half) * (peaks.tensor() / peaks.tensor_fp16);
    work.read_bytes = counts.of(Quantity::dram_bytes_read);
    work.write_bytes = counts.of(Quantity::dram_bytes_write);
    return work;
}

} // namespace cudabench::roofline
