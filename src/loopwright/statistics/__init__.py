"""Numbers in, numbers out: intervals, medians, evidence. No records and no store."""
