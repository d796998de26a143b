// A mask cut into fields of equal width: what is in each of them, told at its highest bit.
#pragma once

namespace perfmodel {

template <class Mask> struct BitFields {
  unsigned width; // a power of two, at most all of the mask
  Mask tops, bottoms;

  explicit BitFields(unsigned field_width) : width(field_width), tops(0), bottoms(0) {
    for (unsigned at = 0; at < 8 * sizeof(Mask); at += width) bottoms |= Mask{1} << at;
    tops = bottoms << (width - 1);
  }
  // Where there is any bit: lower bits carry into the highest one. H. S. Warren, Hacker's Delight, 6-1.
  Mask any(Mask mask) const { return (((mask & ~tops) + ~tops) | mask) & tops; }
  // Where there are two bits or more: without its lowest bit there is one left.
  Mask several(Mask mask) const { return any(mask & (mask - (any(mask) >> (width - 1)))); }
  // All bits of the fields that are told.
  Mask whole(Mask told) const { return told | (told - (told >> (width - 1))); }
};

} // namespace perfmodel
