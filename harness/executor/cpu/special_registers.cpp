#include "executor/cpu/special_registers.h"

#include "executor/cpu/warp.h"

#include <algorithm>
#include <array>

namespace cudabench::cpu {
namespace {

struct Entry {
    std::string_view name;
    Place place;
};

constexpr Place of_warp(warp_specials::Index which) {
    return {Place::Area::warp, which * warp_specials::lane_bytes};
}

constexpr Place of_block(block_specials::Index which) {
    return {Place::Area::block, which * warp_specials::lane_bytes};
}

// Without clusters a block is a cluster of its own.
constexpr std::array entries = {
    Entry{"%tid.x", of_warp(warp_specials::tid_x)},
    Entry{"%tid.y", of_warp(warp_specials::tid_y)},
    Entry{"%tid.z", of_warp(warp_specials::tid_z)},
    Entry{"%laneid", of_warp(warp_specials::laneid)},
    Entry{"%warpid", of_warp(warp_specials::warpid)},
    Entry{"%lanemask_eq", of_warp(warp_specials::mask_eq)},
    Entry{"%lanemask_lt", of_warp(warp_specials::mask_lt)},
    Entry{"%lanemask_le", of_warp(warp_specials::mask_le)},
    Entry{"%lanemask_gt", of_warp(warp_specials::mask_gt)},
    Entry{"%lanemask_ge", of_warp(warp_specials::mask_ge)},
    Entry{"%ctaid.x", of_block(block_specials::ctaid_x)},
    Entry{"%ctaid.y", of_block(block_specials::ctaid_y)},
    Entry{"%ctaid.z", of_block(block_specials::ctaid_z)},
    Entry{"%ntid.x", of_block(block_specials::ntid_x)},
    Entry{"%ntid.y", of_block(block_specials::ntid_y)},
    Entry{"%ntid.z", of_block(block_specials::ntid_z)},
    Entry{"%nctaid.x", of_block(block_specials::nctaid_x)},
    Entry{"%nctaid.y", of_block(block_specials::nctaid_y)},
    Entry{"%nctaid.z", of_block(block_specials::nctaid_z)},
    Entry{"%nwarpid", of_block(block_specials::nwarpid)},
    Entry{"%smid", of_block(block_specials::smid)},
    Entry{"%nsmid", of_block(block_specials::nsmid)},
    Entry{"%gridid", of_block(block_specials::gridid)},
    Entry{"%envreg1", of_block(block_specials::envreg1)},
    Entry{"%envreg2", of_block(block_specials::envreg2)},
    Entry{"%dynamic_smem_size", of_block(block_specials::dynamic_shared)},
    Entry{"%total_smem_size", of_block(block_specials::total_shared)},
    Entry{"%clusterid.x", of_block(block_specials::ctaid_x)},
    Entry{"%clusterid.y", of_block(block_specials::ctaid_y)},
    Entry{"%clusterid.z", of_block(block_specials::ctaid_z)},
    Entry{"%nclusterid.x", of_block(block_specials::nctaid_x)},
    Entry{"%nclusterid.y", of_block(block_specials::nctaid_y)},
    Entry{"%nclusterid.z", of_block(block_specials::nctaid_z)},
    Entry{"%cluster_ctaid.x", of_block(block_specials::zero)},
    Entry{"%cluster_ctaid.y", of_block(block_specials::zero)},
    Entry{"%cluster_ctaid.z", of_block(block_specials::zero)},
    Entry{"%cluster_nctaid.x", of_block(block_specials::one)},
    Entry{"%cluster_nctaid.y", of_block(block_specials::one)},
    Entry{"%cluster_nctaid.z", of_block(block_specials::one)},
    Entry{"%cluster_ctarank", of_block(block_specials::zero)},
    Entry{"%cluster_nctarank", of_block(block_specials::one)},
};

} // namespace

std::optional<Place> special_place(std::string_view name, std::uint32_t bytes) {
    const auto* const found = std::ranges::find(entries, name, &Entry::name);
    if (found == entries.end() || bytes != 4)
        return std::nullopt;
    return found->place;
}

} // namespace cudabench::cpu
