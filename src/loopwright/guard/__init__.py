"""What keeps harm out of the record: secrets are masked before anything is written."""
