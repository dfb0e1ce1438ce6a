"""Says what is right for limits over HTTP: keys from addresses and fields, and what a response says of a decision.

Plain functions over bytes, numbers and the dictionaries that a vector holds. The cases lie in `over_http.cases`.
"""
