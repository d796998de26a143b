// The typed input of a model, from a request with one value for each.
#pragma once

#include "models/core/fields.hpp"
#include "models/core/model.hpp"

namespace perfmodel {

template <class Input> Input input_of(const Request& request) {
  Input input{};
  for (const Axis& axis : request.inputs)
    detail::set_field(detail::fields_of<Input>(), &input, axis.name, axis.values.front());
  return input;
}

inline bool is_given(const Request& request, std::string_view name) {
  for (const Axis& axis : request.inputs)
    if (axis.name == name) return true;
  return false;
}

} // namespace perfmodel
