// Streams that wait until their gate is opened: what the host enqueues in the meantime then runs without
// waiting for the host.
#pragma once

#include "kernels/core/check.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace perfmodel::kernels {

class Gate {
public:
  Gate() : state_(std::make_shared<State>()) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { open(); }

  // What is enqueued on the stream from now on waits. Between here and open() the host must not wait for the
  // device, and no library may that it calls.
  void hold(cudaStream_t stream) const {
    auto held =
        std::make_unique<std::shared_ptr<State>>(state_); // the device may be through after the gate is gone
    PERFMODEL_CUDA(cudaLaunchHostFunc(stream, wait, held.get()));
    (void)held.release();
  }
  void open() {
    {
      const std::lock_guard lock(state_->mutex);
      state_->is_open = true;
    }
    state_->opened.notify_all();
  }

private:
  struct State {
    std::mutex mutex;
    std::condition_variable opened;
    bool is_open = false;
  };
  static void CUDART_CB wait(void* held) {
    const std::unique_ptr<std::shared_ptr<State>> owned(static_cast<std::shared_ptr<State>*>(held));
    State& state = **owned;
    std::unique_lock lock(state.mutex);
    state.opened.wait(lock, [&] { return state.is_open; });
  }

  std::shared_ptr<State> state_;
};

} // namespace perfmodel::kernels
