// What stands around the plot of a chart on a terminal: ticks, the key and the notes.
#pragma once

#include "plots/chart/chart.hpp"
#include "plots/layout/ticks.hpp"

#include <functional>
#include <string>
#include <vector>

namespace perfmodel::plots {

// How the terminal spells a text.
using TickWords = std::function<std::string(const std::string&)>;

std::vector<Tick> told(std::vector<Tick> ticks, const TickWords& words);

std::string spaces(int n); // none below 1

// The axis, `across` columns wide behind a margin, with the texts of ticks under it, each centred on its tick
// and apart from its neighbour, and its label.
void write_x_axis(std::string& out, const Chart& chart, int margin, int across, const TickWords& words);

// Entries "sign<tab>text", two to a row where both fit.
void write_key(std::string& out, const std::vector<std::string>& key, int columns);

void write_wrapped(std::string& out, const std::string& text, int columns);

} // namespace perfmodel::plots
