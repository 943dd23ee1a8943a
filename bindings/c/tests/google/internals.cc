// Two functions that are not in Google's header and that two of its tests call. A drop-in has no place for them: the tests are left
// out by a filter, and these definitions are there to be linked.
#include <cstdlib>
#include <string>

namespace googlebot {

std::string GetPathParamsQuery(const std::string&) { std::abort(); }
bool MaybeEscapePattern(const char*, char**) { std::abort(); }

}  // namespace googlebot
