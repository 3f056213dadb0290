#include "case/live_answers.h"

namespace cudabench {

Expected<std::vector<std::byte>, Failure> LiveAnswers::tensor_map(const recipe::TensorMap& question) {
    return performance().answer(question);
}

Expected<std::uint64_t, Failure> LiveAnswers::cluster_occupancy(const recipe::ClusterOccupancy& question) {
    if (const auto admitted = validator().check_launch(question.launch); !admitted)
        return admitted.error();
    return performance().answer(question);
}

} // namespace cudabench
