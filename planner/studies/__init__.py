"""Studies, the stages that plan them, and what is made of many: explorations, comparisons, sweeps, machines in stages,
differences."""
