#pragma once

#include <unistd.h>

namespace cudabench::compile {

/// Owns a file descriptor; a negative number is none.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(); }
    [[nodiscard]] int number() const { return number_; }
    void reset() {
        if (number_ >= 0)
            close(number_);
        number_ = -1;
    }

private:
    int number_;
};

} // namespace cudabench::compile
