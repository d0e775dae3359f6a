export const windowText =
  "The window can also be `start` to `end`. Its days are whole days. With `fresh` the last days are incomplete."
export const unitText = "A `ctr` of 0.05 is 5 %, a `position` of 1 is the highest."
export const truncationText = "Returns at most `limit` rows. `has_more` says whether there are more."
