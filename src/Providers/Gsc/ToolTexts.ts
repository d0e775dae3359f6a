/** Follow the briefs of tools for searches, which say when the window ends and what `next_offset` is. */
export const windowText =
  "The window is `days` whole days, or `start` to `end`. With `fresh` its last days are incomplete."
export const unitText = "A `ctr` of 0.05 is 5 %, and `position` 1 is the highest."
export const truncationText = "Returns at most `limit` rows. `has_more` says whether there are more."
