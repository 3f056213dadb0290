// Best local alignment scores; one thread a pair, a few rows of its table at a time.

namespace {

constexpr int threads = 64;
constexpr int rows = 8; // at a time

// border[j][pair] is the last row of the rows before.
__global__ void align(const unsigned char* A, const unsigned char* B, int* scores, int* border, int pairs, int m, int n,
                      int match, int mismatch, int gap) {
    const int pair = blockIdx.x * threads + threadIdx.x;
    if (pair >= pairs) {
        return;
    }
    const unsigned char* a = A + static_cast<long long>(pair) * m;
    const unsigned char* b = B + static_cast<long long>(pair) * n;
    int best = 0;
    for (int first = 0; first < m; first += rows) {
        int letters[rows];
        int left[rows] = {};
        int corner = 0; // above and to the left of the first row's cell
        for (int r = 0; r < rows; ++r) {
            letters[r] = first + r < m ? a[first + r] : -1; // beyond the end scores only fall
        }
        for (int j = 0; j < n; ++j) {
            const long long place = static_cast<long long>(j) * pairs + pair;
            const int letter = b[j];
            int above = first == 0 ? 0 : border[place];
            int diagonal = corner;
            corner = above;
            for (int r = 0; r < rows; ++r) {
                const int aligned = diagonal + (letters[r] == letter ? match : mismatch);
                const int cell = max(max(aligned, 0), max(above, left[r]) - gap);
                diagonal = left[r];
                left[r] = cell;
                above = cell;
                best = max(best, cell);
            }
            border[place] = above;
        }
    }
    scores[pair] = best;
}

} // namespace

extern "C" void solve(const unsigned char* A, const unsigned char* B, int* scores, int pairs, int m, int n, int match,
                      int mismatch, int gap) {
    int* border = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&border), static_cast<size_t>(pairs) * n * sizeof(int));
    align<<<(pairs + threads - 1) / threads, threads>>>(A, B, scores, border, pairs, m, n, match, mismatch, gap);
    cudaFree(border);
}
