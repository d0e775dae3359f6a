export const path = { property: "123456789" }
export const days = { dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }] }
export const report = { ...days, metrics: [{ name: "sessions" }] }
export const realtime = { metrics: [{ name: "activeUsers" }] }
export const cohorts = {
  dimensions: [{ name: "cohort" }],
  cohortSpec: {
    cohorts: [{ dimension: "firstSessionDate", dateRange: { startDate: "2026-08-02", endDate: "2026-08-08" } }],
    cohortsRange: { granularity: "WEEKLY", endOffset: 5 }
  }
}
export const exact = (value: string) => ({ filter: { fieldName: "country", stringFilter: { value } } })
export const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `field${index}` }))
