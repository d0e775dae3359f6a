export const neverUndone = { dry_run: false, undo_of: null, undone_by: null, undoable_until: null }
