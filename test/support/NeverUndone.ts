export const neverUndone = { dry_run: false, undo_of: null, bulk_call_id: null, undone_by: null, undoable_until: null }
