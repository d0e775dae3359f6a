// Names that every property has and that the sandbox has no data for, the deprecated ones too. From the recorded metadata
// of a property.

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/** Each also for the first user and the session, as in `firstUserMedium` and `sessionMedium`. */
const attributed = words(`
  campaignId campaignName cm360AccountId cm360AccountName cm360AdvertiserId cm360AdvertiserName cm360CampaignId
  cm360CampaignName cm360CreativeFormat cm360CreativeId cm360CreativeName cm360CreativeType cm360CreativeTypeId
  cm360CreativeVersion cm360Medium cm360PlacementCostStructure cm360PlacementId cm360PlacementName cm360RenderingId
  cm360SiteId cm360SiteName cm360Source cm360SourceMedium defaultChannelGroup defaultChannelGrouping dv360AdvertiserId
  dv360AdvertiserName dv360CampaignId dv360CampaignName dv360CreativeFormat dv360CreativeId dv360CreativeName
  dv360ExchangeId dv360ExchangeName dv360InsertionOrderId dv360InsertionOrderName dv360LineItemId dv360LineItemName
  dv360Medium dv360PartnerId dv360PartnerName dv360Source dv360SourceMedium googleAdsAccountName googleAdsAdGroupId
  googleAdsAdGroupName googleAdsAdNetworkType googleAdsCampaignId googleAdsCampaignName googleAdsCampaignType
  googleAdsCreativeId googleAdsCustomerId googleAdsKeyword googleAdsQuery manualAdContent manualCampaignId
  manualCampaignName manualCreativeFormat manualMarketingTactic manualMedium manualSource manualSourceMedium
  manualSourcePlatform manualTerm medium primaryChannelGroup sa360AdGroupId sa360AdGroupName sa360CampaignId
  sa360CampaignName sa360CreativeFormat sa360EngineAccountId sa360EngineAccountName sa360EngineAccountType
  sa360ManagerAccountId sa360ManagerAccountName sa360Medium sa360Query sa360Source sa360SourceMedium source
  sourceMedium sourcePlatform trafficOrigin
`)

const otherFields = words(`
  achievementId adFormat adSourceName adUnitName appVersion audienceId audienceName audienceResourceName
  brandingInterest browserVersion character cityId cohort cohortNthDay cohortNthMonth cohortNthWeek comparison
  contentGroup contentId contentType continent continentId countryIsoCode currencyCode dateHourMinute dayOfWeekZero
  deviceModel fileExtension fileName firstSessionDate firstTouchDate firstUserCreativeId firstUserDv360LinteItemName
  firstUserSa360KeywordText fullPageUrl groupId isConversionEvent isKeyEvent isoWeek isoYear isoYearIsoWeek
  itemAffiliation itemBrand itemCategory itemCategory2 itemCategory3 itemCategory4 itemCategory5 itemId itemListId
  itemListName itemListPosition itemLocationID itemName itemPromotionCreativeName itemPromotionCreativeSlot
  itemPromotionId itemPromotionName itemVariant language languageCode level linkClasses linkDomain linkId linkText
  linkUrl method minute mobileDeviceBranding mobileDeviceMarketingName mobileDeviceModel nthDay nthHour nthMinute
  nthMonth nthWeek nthYear operatingSystemVersion operatingSystemWithVersion orderCoupon outbound
  pagePathPlusQueryString pageReferrer percentScrolled platformDeviceCategory region sa360KeywordText screenResolution
  searchTerm sessionSa360Keyword shippingTier signedInWithUserId testDataFilterId testDataFilterName transactionId
  unifiedPagePathScreen unifiedPageScreen unifiedScreenClass userAgeBracket userGender videoProvider videoTitle
  videoUrl virtualCurrencyName visible
`)

const ofUserAndSession = (name: string) => {
  const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return [name, `firstUser${capital}`, `session${capital}`]
}

export const otherDimensions: ReadonlySet<string> = new Set([...attributed.flatMap(ofUserAndSession), ...otherFields])

export const otherRealtimeDimensions: ReadonlySet<string> = new Set(
  words("appVersion audienceId audienceName audienceResourceName cityId")
)

export const otherMetrics: ReadonlySet<string> = new Set(words(`
  active1DayUsers active28DayUsers active7DayUsers adUnitExposure adUnitExposureMs advertiserAdClicks
  advertiserAdCostPerClick advertiserAdCostPerConversion advertiserAdCostPerKeyEvent advertiserAdImpressions
  averagePurchaseRevenuePerPayingUser averagePurchaseRevenuePerUser averageRevenuePerUser cartToViewRate
  cohortActiveUsers cohortTotalUsers crashAffectedUsers crashFreeUsersRate dauPerMau dauPerWau eventValue
  firstTimePurchaserConversionRate firstTimePurchaserRate firstTimePurchasers firstTimePurchasersPerNewUser
  grossItemRevenue grossPurchaseRevenue itemDiscountAmount itemListClickEvents itemListClickThroughRate itemListClicks
  itemListViewEvents itemListViews itemPromotionClickThroughRate itemPromotionClicks itemPromotionViews
  itemPurchaseQuantity itemRefundAmount itemRevenue itemViewEvents itemViews itemsAddedToCart itemsCheckedOut
  itemsClickedInList itemsClickedInPromotion itemsPurchased itemsViewed itemsViewedInList itemsViewedInPromotion
  organicGoogleSearchAveragePosition organicGoogleSearchClickThroughRate organicGoogleSearchClicks
  organicGoogleSearchImpressions promotionClicks promotionViews publisherAdClicks publisherAdImpressions
  purchaseToViewRate purchaserConversionRate purchaserRate refundAmount returnOnAdSpend scrolledUsers
  sessionConversionRate sessionKeyEventRate shippingAmount taxAmount totalAdRevenue transactionsPerPurchaser
  userConversionRate userKeyEventRate wauPerMau
  keyEvents:purchase sessionKeyEventRate:purchase userKeyEventRate:purchase
`))
