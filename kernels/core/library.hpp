// A shared library that may or may not be on the machine (NVML, cuBLAS): nothing links to it.
#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace perfmodel::kernels {

class Library {
public:
  // Opens the first of the names that exists.
  explicit Library(std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  explicit operator bool() const { return handle_ != nullptr; }

  // nullptr when the library or the symbol is not there.
  template <class Function> Function* find(const char* symbol) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, symbol));
  }

private:
  void* handle_ = nullptr;
};

} // namespace perfmodel::kernels
