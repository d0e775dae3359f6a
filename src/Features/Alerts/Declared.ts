/** Services in which people read, beside the format of events that programs read. */
export const alertFormats = ["slack", "teams", "google_chat", "discord"] as const
