// The standard error as a stream that no name can speak through: what was written by others (names in files,
// paths, words of the command line) reaches the terminal as text and not as orders to it.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace perfmodel::cli {

// Passes whole lines on, made safe by printable_lines; what is left goes on at flush and at the end.
class SafeStream : public std::ostream {
public:
  explicit SafeStream(std::ostream& to) : std::ostream(nullptr), lines_(to) { rdbuf(&lines_); }
  SafeStream(const SafeStream&) = delete;
  SafeStream& operator=(const SafeStream&) = delete;
  ~SafeStream() override { flush(); }

private:
  class Lines : public std::streambuf {
  public:
    explicit Lines(std::ostream& to) : to_(to) {}

  protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

  private:
    std::ostream& to_;
    std::string line_;
    void pass(std::size_t size);
  };
  Lines lines_;
};

} // namespace perfmodel::cli
