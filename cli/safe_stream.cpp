#include "safe_stream.hpp"

#include "text_lines.hpp"

#include "models/core/utf8.hpp"

#include <algorithm>
#include <string_view>

namespace perfmodel::cli {

void SafeStream::Lines::clear() {
  if (stands_) to_ << "\r\033[K"; // the line begins anew
  stands_ = false;
}

void SafeStream::Lines::stand(std::string_view line) {
  const std::lock_guard lock(mutex_);
  clear();
  to_ << printable_lines(line) << std::flush;
  stands_ = !line.empty();
}

void SafeStream::Lines::pass(std::size_t size) {
  const std::lock_guard lock(mutex_);
  if (size > 0) clear();
  const std::string safe = printable_lines(std::string_view(line_).substr(0, size));
  line_.erase(0, size);
  if (columns_ == 0) {
    to_ << safe;
    return;
  }
  for (std::size_t begin = 0, end; begin < safe.size(); begin = end + 1) {
    end = std::min(safe.find('\n', begin), safe.size());
    std::string_view between = "";
    for (const std::string& piece : wrapped(std::string_view(safe).substr(begin, end - begin), columns_)) {
      to_ << between << piece;
      between = "\n";
    }
    if (end < safe.size()) to_ << '\n';
  }
}

std::streamsize SafeStream::Lines::xsputn(const char* text, std::streamsize size) {
  line_.append(text, static_cast<std::size_t>(size));
  if (const std::size_t end = line_.rfind('\n'); end != line_.npos) pass(end + 1);
  return size;
}

std::streambuf::int_type SafeStream::Lines::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char text = traits_type::to_char_type(c);
  xsputn(&text, 1);
  return c;
}

int SafeStream::Lines::sync() {
  pass(line_.size());
  const std::lock_guard lock(mutex_);
  to_.flush();
  return 0;
}

} // namespace perfmodel::cli
