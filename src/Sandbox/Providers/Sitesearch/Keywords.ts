import type { Day } from "../../Data/Day.ts"
import { searchQueries } from "../../Data/SearchQueries.ts"
import { seasonalFactor } from "../../Data/Season.ts"
import { hashText, mixHash, randomOf, toFraction } from "../../Data/SeededRandom.ts"
import { weeksUntil, wireDateWithoutOffset } from "./WireDates.ts"

const weeks = 25
const saturday = 6

/** Longer ones are too rare to have a history. */
const longest = 50

/** Everybody's searches in a week, not only those that showed the company. */
const weeklyVolume = (keyword: string): number => {
  const demand = searchQueries().find(({ query }) => query === keyword)
  return demand === undefined ? 40 + 4000 * randomOf(`volume of ${keyword}`) ** 3 : demand.daily * 7 * 12
}

export const keywordStats = (q: string, country: string, language: string, today: Day) => {
  const keyword = q.trim().toLowerCase()
  if (keyword === "" || keyword.length > longest) return []
  const part = 0.2 + 0.8 * randomOf(`${country} ${language}`)
  return weeksUntil(today - 5, saturday, weeks).map((day) => {
    const chance = toFraction(mixHash(hashText(keyword), day))
    const Impressions = Math.round(weeklyVolume(keyword) * part * seasonalFactor(day) * (0.9 + 0.2 * chance))
    return {
      __type: "KeywordStats:#Microsoft.Bing.Webmaster.Api",
      BroadImpressions: Math.round(Impressions * (4 + 2 * randomOf(keyword))),
      Date: wireDateWithoutOffset(day),
      Impressions,
      Query: q
    }
  })
}
