import { featurePages } from "../../Features/Pages.ts"
import { featuresOff } from "../Service/ServedPage.ts"
import { areas } from "./Areas.ts"
import type { AroundDataProps } from "./FeaturePages.ts"

const pages = featurePages.filter(({ feature }) => !featuresOff.includes(feature))

/** Sorted in the order of the navigation. */
export const servedAreas = [...areas, ...pages.flatMap(({ areas = [] }) => areas)].toSorted((a, b) => a.place - b.place)

export const featureRoutes = pages.flatMap(({ routes = [] }) => routes)

export const featureActions = pages.flatMap(({ actions = [] }) => actions)

export const servedTabs = pages.flatMap(({ tabs = [] }) => tabs)

export const servedParts = pages.flatMap(({ parts = [] }) => parts)

export const aboutCall = pages.flatMap(({ aboutCall = [] }) => aboutCall)

export const AskAll = pages.flatMap(({ askAll = [] }) => askAll)[0]

export const CallHistogram = pages.flatMap(({ callHistogram = [] }) => callHistogram)[0]

/** By the error code of the call. */
export const refusals = Object.fromEntries(pages.flatMap(({ refusals = {} }) => Object.entries(refusals)))

const bare = ({ children, data }: AroundDataProps) => children(data)

export const AroundData = pages.flatMap(({ aroundData = [] }) => aroundData)[0] ?? bare
