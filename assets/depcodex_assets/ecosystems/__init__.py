"""One module an ecosystem and way in: how sources are found on this machine, fetched, and read.

Here: readers of installed trees, of local trees and of archives, and the clients that fetch. Not here: archive limits
(depcodex_assets.archives), the order in which the ways are tried (depcodex_assets.harvest).
"""
