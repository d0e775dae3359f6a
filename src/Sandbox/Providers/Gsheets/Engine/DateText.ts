import { dateOfSerial } from "./Serial.ts"

const tokens = /yyyy|mm?|dd?|hh?|ss/g

const part = "(?:yyyy|mm?|dd?)"

const grammar = new RegExp(`^(?=.)(?:${part}[-/.]${part}(?:[-/.]${part})?)?(?: ?hh?:mm(?::ss)?)?$`)

export const isDatePattern = (pattern: string): boolean => grammar.test(pattern)

const pad = (number: number, width: number) => String(number).padStart(width, "0")

export const dateText = (serial: number, pattern: string): string => {
  const date = dateOfSerial(Math.floor(serial * 86_400 + 1e-4) / 86_400)
  return pattern.replace(tokens, (token, at: number) => {
    switch (token.charAt(0)) {
      case "y":
        return pad(date.getUTCFullYear(), 4)
      case "m":
        return pad(pattern.charAt(at - 1) === ":" ? date.getUTCMinutes() : date.getUTCMonth() + 1, token.length)
      case "d":
        return pad(date.getUTCDate(), token.length)
      case "h":
        return pad(date.getUTCHours(), token.length)
      default:
        return pad(date.getUTCSeconds(), 2)
    }
  })
}
