export const windowText =
  "The window is `days` whole days in Pacific time, or `start` to `end`. It ends 3 days ago, because final data is " +
  "2 to 3 days behind. With `fresh` it ends yesterday and its last days are incomplete."
export const unitText = "`ctr` is a fraction (0.05 is 5 %). `position` is an average; 1 is the highest."
export const truncationText =
  "Returns at most `limit` rows. `has_more` says whether there are more, `next_offset` where they start."
