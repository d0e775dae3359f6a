import { seasonalFactor } from "../../Data/Company.ts"
import type { Day } from "../../Data/Day.ts"
import { searchQueries } from "../../Data/SearchQueries.ts"
import { hashText, mixHash, randomOf, toFraction } from "../../Data/SeededRandom.ts"
import { weekdaysUntil, wireDateWithoutOffset } from "./WireDates.ts"

const weeks = 25
const saturday = 6

const maxKeywordLength = 50

const weeklySearches = (keyword: string): number => {
  const known = searchQueries().find(({ query }) => query === keyword)
  return known === undefined ? 40 + 4000 * randomOf(`volume of ${keyword}`) ** 3 : known.dailyImpressions * 7 * 12
}

export const keywordStats = (q: string, country: string, language: string, today: Day) => {
  const keyword = q.trim().toLowerCase()
  if (keyword === "" || keyword.length > maxKeywordLength) return []
  const share = 0.2 + 0.8 * randomOf(`${country} ${language}`)
  return weekdaysUntil(today - 5, saturday, weeks).map((day) => {
    const chance = toFraction(mixHash(hashText(keyword), day))
    const Impressions = Math.round(weeklySearches(keyword) * share * seasonalFactor(day) * (0.9 + 0.2 * chance))
    return {
      __type: "KeywordStats:#Microsoft.Bing.Webmaster.Api",
      BroadImpressions: Math.round(Impressions * (4 + 2 * randomOf(keyword))),
      Date: wireDateWithoutOffset(day),
      Impressions,
      Query: q
    }
  })
}
