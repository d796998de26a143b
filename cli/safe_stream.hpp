// The standard error as a stream that no name can speak through: what was written by others (names in files,
// paths, words of the command line) reaches the terminal as text and not as orders to it.
#pragma once

#include <cstddef>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace perfmodel::cli {

// Passes whole lines on, made safe by printable_lines; what is left goes on at flush and at the end. Lines of
// more than `columns` characters are broken at spaces, as `wrapped` does it; 0: none is, so that a program
// that reads them finds each sentence in one line.
class SafeStream : public std::ostream {
public:
  explicit SafeStream(std::ostream& to, std::size_t columns = 0)
      : std::ostream(nullptr), lines_(to, columns) {
    rdbuf(&lines_);
  }
  SafeStream(const SafeStream&) = delete;
  SafeStream& operator=(const SafeStream&) = delete;
  ~SafeStream() override { flush(); }

  // A line that stands where the next one will, of a terminal: the next one, or what passes, takes its place.
  // "": none. May be called by another thread than the one that writes.
  void stand(std::string_view line) { lines_.stand(line); }

private:
  class Lines : public std::streambuf {
  public:
    Lines(std::ostream& to, std::size_t columns) : to_(to), columns_(columns) {}
    void stand(std::string_view line);

  protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

  private:
    std::ostream& to_;
    std::size_t columns_;
    std::mutex mutex_; // of to_ and stands_
    bool stands_ = false;
    std::string line_;
    void pass(std::size_t size);
    void clear();
  };
  Lines lines_;
};

} // namespace perfmodel::cli
