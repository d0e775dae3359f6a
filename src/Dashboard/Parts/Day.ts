export const dayInMillis = 86_400_000
