"""One run -> what other people and programs can read: JSON, HTML, ATIF, OTLP, a report. Records in, text out."""
